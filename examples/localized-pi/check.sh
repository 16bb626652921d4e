#!/bin/sh
# Interesting: a Java program that ends well for "en" and throws an exception for "hu". So that no Java is needed, the few
# constructs of this program are turned into JavaScript, with checks where JavaScript is less strict.
ulimit -t 5
exec node - "$1" <<'SCRIPT'
const source = require('fs').readFileSync(process.argv[2], 'utf8');

class Exception extends Error {}
String.prototype.equals = function (other) { return string(this.valueOf()) === string(other); };
const concat = String.prototype.concat;
String.prototype.concat = function (...others) { return concat.call(this, string(others.length === 1 ? others[0] : null)); };
const string = value => {
  if (typeof value !== 'string') throw new TypeError('not a string');
  return value;
};
const System = { out: { println: string } };

const body = /^\s*(?:public )?class \w+ \{([^]*)\}\s*$/.exec(source);
if (!body) process.exit(1);
const names = [];
const program = body[1]
  .replace(/\b((?:(?:private|public) )?)static (String|void) (\w+)\(([^)]*)\)/g, (_, access, type, name, parameters) => {
    if (name === 'main' ? access !== 'public ' || type !== 'void' || !/^String\[\] \w+$/.test(parameters) : type !== 'String') process.exit(1);
    const list = parameters.split(', ').filter(Boolean).map(parameter => {
      const parts = /^String(?:\[\])? (\w+)$/.exec(parameter);
      return parts ? parts[1] : process.exit(1);
    });
    names.push(name);
    return `function ${name}_(${list})`;
  })
  .replace(/\bString (\w+) = ([^;]*);/g, 'const $1 = string($2);')
  .replace(/\breturn\b(?! [^;])/g, '!')
  .replace(/(?<![.\w])(\w+)(?=\()/g, word => names.includes(word) ? `call(${word}_)` : word)
  .replace(/\bnew Exception(?!\()/g, '!');
const call = method => (...parameters) => {
  if (parameters.length !== method.length) throw new TypeError('other parameters');
  return string(method(...parameters.map(string)));
};
if (!names.includes('main')) process.exit(1);
const run = new Function('call', 'string', 'System', 'Exception', `'use strict'; ${program}; return main_;`);
const main = run(call, string, System, Exception);
main(['en']);
try {
  main(['hu']);
} catch (error) {
  process.exit(error instanceof Exception ? 0 : 1);
}
process.exit(1);
SCRIPT
