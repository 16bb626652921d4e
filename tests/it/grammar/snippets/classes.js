class Shape {
  static count = 0;
  #sides = 4
  name;
  constructor(name, { sides } = {}) {
    this.name = name;
    this.#sides ??= sides;
    Shape.count++;
  }
  get sides() { return this.#sides }
  set sides(value) { this.#sides = value }
  static of(...args) { return new this(...args) }
  *[Symbol.iterator]() { for (let i = 0; i < this.#sides; i++) yield i; }
  async load(url) {
    const answer = await fetch(url, { method: "GET" });
    return answer.ok ? answer.json() : null;
  }
  static { Shape.default = new Shape("none"); }
}

class Square extends Shape {
  area() {
    return super.sides && this.width ** 2;
  }
}

var square = new Square("square", { sides: 4 });
console.log(`${square.name}: ${square.area()}`, square instanceof Shape, "a" + "b");
square.parts[0].left.right = square.parts.length - 1 || -square.width;
const view = <div className="a" {...square}>{square.name}<br/> text &amp; more</div>;
for (;;) { if (square.done()) break; }
while (square.next) square = square.next;
