import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSourceSpeakers, parseSource } from './source-speakers.ts'

test('a source belongs to the participant that it was assigned to last', () => {
  const speakers = createSourceSpeakers()
  assert.equal(speakers.speakerIdOf(1), null)
  speakers.assign(1, 'ana')
  speakers.assign(1, 'ben')
  assert.equal(speakers.speakerIdOf(1), 'ben')
})

test('a participant keeps only the sources of its newest list', () => {
  const speakers = createSourceSpeakers()
  speakers.replaceSourcesOf('ana', [1, 2])
  speakers.replaceSourcesOf('ben', [2, 3])
  speakers.replaceSourcesOf('ana', [4])
  const owners = [1, 2, 3, 4].map((source) => speakers.speakerIdOf(source))
  assert.deepEqual(owners, [null, 'ben', 'ben', 'ana'])
  speakers.replaceSourcesOf('ben', [])
  assert.equal(speakers.speakerIdOf(3), null)
})

test('the number of known sources is limited', () => {
  const speakers = createSourceSpeakers()
  for (let i = 0; i < 10_100; i += 1) speakers.replaceSourcesOf(`p${i}`, [i])
  assert.deepEqual([speakers.speakerIdOf(50), speakers.speakerIdOf(10_099)], [null, 'p10099'])
})

test('only unsigned numbers of 32 bits are sources', () => {
  const values = [0, 7, '42', '4294967295', 4_294_967_296, -1, 1.5, '', 'x', null, Number.NaN]
  assert.deepEqual(values.map(parseSource), [
    0,
    7,
    42,
    4_294_967_295,
    ...Array.from({ length: 7 }, () => null),
  ])
})
