// What a program of embedded Swift needs of a C library and of a system: Linux on an i686.
#include <stddef.h>
#include <stdint.h>

static char heap[1 << 28];
static size_t used;

static int call(int number, int first, int second, int third) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
    return result;
}

int putchar(int character) {
    char byte = character;
    call(4, 1, (int)&byte, 1);
    return character;
}

// Nothing is given back: a run is short.
int posix_memalign(void **memory, size_t alignment, size_t size) {
    used = (used + alignment - 1) & ~(alignment - 1);
    if (size > sizeof heap - used) return 12;
    *memory = heap + used;
    used += size;
    return 0;
}

void free(void *memory) {}

void *memcpy(void *target, const void *source, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)target)[i] = ((const char *)source)[i];
    return target;
}

void *memmove(void *target, const void *source, size_t count) {
    if (target < source) return memcpy(target, source, count);
    while (count--) ((char *)target)[count] = ((const char *)source)[count];
    return target;
}

void *memset(void *target, int value, size_t count) {
    for (size_t i = 0; i < count; i++) ((char *)target)[i] = value;
    return target;
}

int memcmp(const void *left, const void *right, size_t count) {
    const unsigned char *l = left, *r = right;
    for (; count--; l++, r++)
        if (*l != *r) return *l - *r;
    return 0;
}

void arc4random_buf(void *target, size_t count) { memset(target, 42, count); }

double ceil(double value) {
    int64_t whole = (int64_t)value;
    return whole < value ? whole + 1 : whole;
}

double round(double value) { return (double)(int64_t)(value + (value < 0 ? -0.5 : 0.5)); }

// Division of 64 bits, digit by digit.
static uint64_t divide(uint64_t value, uint64_t divisor, uint64_t *rest) {
    uint64_t quotient = 0, left = 0;
    for (int bit = 63; bit >= 0; bit--) {
        int carry = left >> 63;
        left = left << 1 | (value >> bit & 1);
        if (carry || left >= divisor) {
            left -= divisor;
            quotient |= 1ULL << bit;
        }
    }
    *rest = left;
    return quotient;
}

uint64_t __udivdi3(uint64_t value, uint64_t divisor) {
    uint64_t rest;
    return divide(value, divisor, &rest);
}

uint64_t __umoddi3(uint64_t value, uint64_t divisor) {
    uint64_t rest;
    divide(value, divisor, &rest);
    return rest;
}

int64_t __divdi3(int64_t value, int64_t divisor) {
    uint64_t quotient = __udivdi3(value < 0 ? -(uint64_t)value : value, divisor < 0 ? -(uint64_t)divisor : divisor);
    return (value < 0) != (divisor < 0) ? -quotient : quotient;
}

int64_t __moddi3(int64_t value, int64_t divisor) { return value - __divdi3(value, divisor) * divisor; }

uintptr_t __stack_chk_guard = 0x595e9fbd;
void __stack_chk_fail(void) { call(1, 99, 0, 0); }

int main(int, char **);

// Swift counts on a stack that is aligned to 16 bytes.
__attribute__((force_align_arg_pointer)) void _start(void) { call(1, main(0, 0), 0, 0); }
