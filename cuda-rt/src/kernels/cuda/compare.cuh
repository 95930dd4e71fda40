#if __cplusplus < 201103L
#error "the declarations in kernels! are compared in C++11 or newer"
#endif
extern "C++" {
struct cuda_rt_none {};
template <bool cuda_rt_is, class cuda_rt_T> struct cuda_rt_if { typedef cuda_rt_none cuda_rt_type; };
template <class cuda_rt_T> struct cuda_rt_if<true, cuda_rt_T> { typedef cuda_rt_T cuda_rt_type; };
template <class... cuda_rt_P> struct cuda_rt_list { static const unsigned cuda_rt_count = sizeof...(cuda_rt_P); };
template <class cuda_rt_R, class... cuda_rt_P> __device__ cuda_rt_list<cuda_rt_P...> cuda_rt_params(cuda_rt_R (*)(cuda_rt_P...));
template <unsigned cuda_rt_I, class cuda_rt_L> struct cuda_rt_nth : cuda_rt_if<true, cuda_rt_none> {};
template <class cuda_rt_H, class... cuda_rt_P> struct cuda_rt_nth<0, cuda_rt_list<cuda_rt_H, cuda_rt_P...> > : cuda_rt_if<true, cuda_rt_H> {};
template <unsigned cuda_rt_I, class cuda_rt_H, class... cuda_rt_P> struct cuda_rt_nth<cuda_rt_I, cuda_rt_list<cuda_rt_H, cuda_rt_P...> >
    : cuda_rt_nth<cuda_rt_I - 1, cuda_rt_list<cuda_rt_P...> > {};
template <class cuda_rt_T> struct cuda_rt_plain : cuda_rt_if<true, cuda_rt_T> {};
template <class cuda_rt_T> struct cuda_rt_plain<const cuda_rt_T> : cuda_rt_if<true, cuda_rt_T> {};
template <class cuda_rt_T> struct cuda_rt_plain<volatile cuda_rt_T> : cuda_rt_if<true, cuda_rt_T> {};
template <class cuda_rt_T> struct cuda_rt_plain<const volatile cuda_rt_T> : cuda_rt_if<true, cuda_rt_T> {};
template <class cuda_rt_T> struct cuda_rt_element : cuda_rt_plain<cuda_rt_T> {};
template <class cuda_rt_T, decltype(sizeof(0)) cuda_rt_N> struct cuda_rt_element<cuda_rt_T[cuda_rt_N]> : cuda_rt_element<cuda_rt_T> {};
template <unsigned cuda_rt_B> struct cuda_rt_bits { static const unsigned cuda_rt_kind = cuda_rt_B; };
template <class cuda_rt_T> struct cuda_rt_reference : cuda_rt_bits<0> {};
template <class cuda_rt_T> struct cuda_rt_reference<cuda_rt_T &> : cuda_rt_bits<1> {};
template <class cuda_rt_T> struct cuda_rt_reference<cuda_rt_T &&> : cuda_rt_bits<1> {};
template <class cuda_rt_T> struct cuda_rt_number : cuda_rt_bits<__is_enum(cuda_rt_T) ? 6 : 0> {};
template <> struct cuda_rt_number<bool> : cuda_rt_bits<1> {};
template <> struct cuda_rt_number<char> : cuda_rt_bits<6> {};
template <> struct cuda_rt_number<signed char> : cuda_rt_bits<2> {};
template <> struct cuda_rt_number<short> : cuda_rt_bits<2> {};
template <> struct cuda_rt_number<int> : cuda_rt_bits<2> {};
template <> struct cuda_rt_number<long> : cuda_rt_bits<2> {};
template <> struct cuda_rt_number<long long> : cuda_rt_bits<2> {};
template <> struct cuda_rt_number<unsigned char> : cuda_rt_bits<4> {};
template <> struct cuda_rt_number<unsigned short> : cuda_rt_bits<4> {};
template <> struct cuda_rt_number<unsigned> : cuda_rt_bits<4> {};
template <> struct cuda_rt_number<unsigned long> : cuda_rt_bits<4> {};
template <> struct cuda_rt_number<unsigned long long> : cuda_rt_bits<4> {};
template <> struct cuda_rt_number<float> : cuda_rt_bits<8> {};
template <> struct cuda_rt_number<double> : cuda_rt_bits<8> {};
template <class cuda_rt_T, unsigned cuda_rt_N = sizeof(cuda_rt_T)> __device__ char (&cuda_rt_sized(int))[cuda_rt_N + 1];
template <class cuda_rt_T> __device__ char (&cuda_rt_sized(...))[1];
template <class cuda_rt_T> struct cuda_rt_size { static const unsigned cuda_rt_bytes = sizeof(cuda_rt_sized<cuda_rt_T>(0)) - 1; };
template <> struct cuda_rt_size<void> { static const unsigned cuda_rt_bytes = 0; };
template <class cuda_rt_T> struct cuda_rt_to : cuda_rt_bits<0> { static const unsigned cuda_rt_access = 0, cuda_rt_bytes = 0; };
template <class cuda_rt_T> struct cuda_rt_to<cuda_rt_T *> : cuda_rt_number<typename cuda_rt_plain<cuda_rt_T>::cuda_rt_type>,
    cuda_rt_size<typename cuda_rt_plain<cuda_rt_T>::cuda_rt_type> { static const unsigned cuda_rt_access = 2; };
template <class cuda_rt_T> struct cuda_rt_to<const cuda_rt_T *> : cuda_rt_to<cuda_rt_T *> { static const unsigned cuda_rt_access = 1; };
