#include "cart.h"
#include <vector>

namespace shop {
namespace {
int hidden = 1;
}

/// A cart. Holds things.
template <typename T>
class Cart : public Base {
public:
    explicit Cart(int limit);
    virtual ~Cart() = default;
    int total() const;
    bool empty() const { return size_ == 0; }
    Cart &operator+=(const Cart &other);
    static int count;

    enum class Kind { Small, Large };
    using Value = int;

private:
    int size_ = 0;
    std::vector<int> items_;
};

struct Point {
    int x, y;
};

template <typename T>
T maximum(T a, T b)
{
    return a > b ? a : b;
}

constexpr int LIMIT = 3;
int declared(int value);

}  // namespace shop

namespace a::b {
class Nested {
    void go() {}
};
}

shop::Cart::Cart(int limit) : size_(limit) {}

int shop::Cart::total() const
{
    auto each = [](int x) { return x; };
    struct Local {
        void inner() {}
    };
    Point made(size_);
    return each(size_);
}

template <typename T>
void Box<std::vector<T>>::put(T value)
{
}

double shop::round_up(double v)
{
    const char *text = "class Fake {};";
    return v;
}

bool operator==(const Point &a, const Point &b) { return true; }

// class CommentedOut {};
extern "C" {
void c_entry(void) {}
}

void torn(int a
{
    if (a) {

int after_break()
{
    return 2;
}

LIB_BEGIN_NAMESPACE

// Waits.
LIB_INLINE void harbour::wait(int hours) LIB_NOEXCEPT {
  return;
}
LIB_INLINE harbour::harbour(int n) : n_(n) {}
template <typename T>
LIB_CONSTEXPR auto width(T ferry) -> int {
  return 1;
}
std::string LIB_CALL flag(const char *name) {
  return name;
}
static LIB_TYPE count = 3;

LIB_END_NAMESPACE
