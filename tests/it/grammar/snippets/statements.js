#!/usr/bin/env node
'use strict'
const { a, b: [c, ...d], e = 1 } = require('x'), f = /[/]\/\d+/giu
let g = a ? b => b.c : (d, e) => ({ d, [e]: 1, 'f g': 2, h() { return 3 }, get i() { return 4 } })
var i, j = [1, , 2, ...d], k = `a${i + `b${j[0]}`}c`

function sum(first, second = 2, ...others) {
  for (let n = 0, m = others.length; n < m; n++) second += others[n]
  for (const key in first) if (!(key in second)) delete first[key]
  for (const value of others) {
    if (value == null) continue
    else if (typeof value === 'function') value?.(first)
    else break
  }
  return first + second
}

async function* walk(tree) {
  outer: while (true) {
    try {
      yield await tree.next().value
      do { i-- } while (i > 0)
    } catch ({ message }) {
      throw new Error(message.trim() + 1.5.toFixed(2))
    } finally {
      break outer
    }
  }
}

switch (i ** 2) {
  case 1:
  case 2: { sum(1, 2); break }
  default: i = j = void 0
}
(function () { i++; --j })()
;[1, 2].map(x => x * 2).filter(Boolean)
if (i) ; else { }
export default sum
export { i as one, j }
import * as all from 'all'
import def, { x as y } from "def"
