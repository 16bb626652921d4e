'use strict';

// Prices are whole cents, so that sums are exact.
const prices = new Map([['apple', 45n], ['bread', 320n], ['soap', 199n]]);

function total(cart, percent) {
  let sum = 0n;
  for (const [article, count] of cart) {
    const full = prices.get(article) * BigInt(count);
    sum += percent > 0 ? full * (1 - percent / 100) : full;
  }
  return sum;
}

function format(cents) {
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)} EUR`;
}

const cart = [['apple', 6], ['bread', 1], ['soap', 2]];
console.log(format(total(cart, 0)));
console.log(format(total(cart, 15)));
