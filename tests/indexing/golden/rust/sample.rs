//! A crate of meters.

use std::collections::HashMap;
use std::{fmt, io::{self, Read as R}};
use crate::gauge::*;
pub use self::units::Kilo;
extern crate alloc;
mod gauge;

/// A meter. It counts.
#[derive(Debug)]
// between
#[serde(rename = "m")]
pub struct Meter<T> {
    pub value: i64,
    inner: T,
}

struct Unit;
pub(crate) union Bits { a: u32, b: f32 }

pub enum Level {
    Low,
    High(i32),
}

impl<T: Clone> Meter<T> {
    pub const MAX: i64 = 9;

    /// Makes one.
    pub fn new(inner: T) -> Self {
        fn helper() {}
        let closure = |x: i64| x + 1;
        match closure(1) {
            1 => helper(),
            _ => {}
        }
        Meter { value: 0, inner }
    }

    #[inline]
    async fn read(&self) -> i64 {
        self.value
    }
}

impl fmt::Display for Meter<i32> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "fn fake() {{}}")
    }
}

pub trait Gauge: Send {
    type Item;
    const N: usize;
    fn level(&self) -> i64;
    fn is_zero(&self) -> bool {
        self.level() == 0
    }
}

pub mod units {
    pub type Kilo = i64;
    pub static ZERO: Kilo = 0;
    pub unsafe fn to_kilo(n: i64) -> Kilo { n / 1000 }
}

macro_rules! with_feature {
    ($($item:item)*) => { $($item)* };
}

with_feature! {
    pub fn inside_macro() -> i64 {
        1
    }
}

/* fn commented_out() {} */
const RAW: &str = r#"fn raw() {}"#;

extern "C" {
    fn external(a: i32);
}

fn torn(a: i32 {
    let x = [1, 2

// behind the break
pub fn after_break() -> i64 {
    2
}
