int memcmp(const void *left, const void *right, __SIZE_TYPE__ count);
