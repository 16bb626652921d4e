
let prices = new Map

function total() {
  for ([count] of cart) {
    let a = prices.get() * BigInt(count)
  }
}

function format(){}

let cart = [[2]]
console.a(format(total()))
