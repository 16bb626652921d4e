'use strict';

// Prices are whole cents, so that sums are exact.
const catalogue = new Map([
  ['apple', { name: 'Apple', cents: 45n, tags: ['fruit', 'fresh'] }],
  ['bread', { name: 'Bread', cents: 320n, tags: ['bakery'] }],
  ['soap', { name: 'Soap', cents: 199n, tags: [] }],
]);

class Cart {
  constructor(currency = 'EUR') {
    this.currency = currency;
    this.lines = [];
  }

  add(id, count = 1) {
    const article = catalogue.get(id);
    if (!article) {
      throw new Error(`no such article: ${id}`);
    }
    this.lines.push({ article, count });
    return this;
  }

  discount(percent) {
    return this.lines.map(({ article, count }) => {
      const full = article.cents * BigInt(count);
      return percent > 0 ? full * (1 - percent / 100) : full;
    });
  }

  total(percent) {
    let sum = 0n;
    for (const cents of this.discount(percent)) {
      sum += cents;
    }
    return sum;
  }
}

function format(cents, currency) {
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)} ${currency}`;
}

function receipt(cart, percent) {
  const lines = cart.lines.map(({ article, count }) => `${count} x ${article.name}`);
  lines.push(`total: ${format(cart.total(percent), cart.currency)}`);
  return lines.join('\n');
}

const cart = new Cart().add('apple', 6).add('bread').add('soap', 2);
console.log(receipt(cart, 0));
console.log(receipt(cart, 15));
