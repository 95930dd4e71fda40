struct Wind {
    float direction[3];
    float strength;
    double weight;
};
