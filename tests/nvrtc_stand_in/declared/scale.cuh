typedef float real;
