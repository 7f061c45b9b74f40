import * as fc from 'fast-check'

/** Property names that every object has. They are dangerous as keys. */
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'name']
const SURROGATES = { first: 0xd800, count: 0x800 }
const LAST = 0x10ffff

/** Any well-formed text. fast-check's own generator lists all characters first, which takes a second per use. */
export function anyText({ maxLength }: { maxLength: number }): fc.Arbitrary<string> {
  const characters = fc.array(character, { maxLength }).map((all) => all.join(''))
  const names = fc.constantFrom(...NAMES.filter(({ length }) => length <= maxLength))
  return fc.oneof({ weight: 15, arbitrary: characters }, { weight: 1, arbitrary: names })
}

const character = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count))
