
let prices = new Map

function total() {
  for ([count] of cart) {
    let a = prices.get() * BigInt(count)
  }
}

function format(){}

let cart = [['']]
console.a(format(total()))
