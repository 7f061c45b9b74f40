import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { replaceSection, type DocumentSection } from './document-section.ts'

const HEAD = '---\ntitle: "Plan"\n---\n\n# Plan\n'
const TRANSCRIPT = '\n**Ada** 00:00:01 Hello ## Recap\n'
const [OLD, NEW] = ['old', 'new'].map((word) => `\n## Recap\n\n- ${word}\n\n## Transcript\n`) as [
  string,
  string,
]
const section: DocumentSection = {
  heading: '## Recap',
  lastLine: '## Transcript',
  text: NEW,
  isOwn: (text) => text === OLD,
}
const PLAIN = `${HEAD}${TRANSCRIPT}`
const size = (text: string) => Buffer.byteLength(text)

test('a section is inserted above the transcript, which stays the same', () => {
  assert.equal(replaceSection(PLAIN, section, size(PLAIN)), `${HEAD}${NEW}${TRANSCRIPT}`)
})

test('only a section that the service wrote is replaced or removed', () => {
  const document = `${HEAD}${OLD}${TRANSCRIPT}Added by a person\n`
  assert.equal(
    replaceSection(document, section, 0),
    `${HEAD}${NEW}${TRANSCRIPT}Added by a person\n`,
  )
  assert.equal(
    replaceSection(document, { ...section, text: null }, 0),
    `${HEAD}${TRANSCRIPT}Added by a person\n`,
  )
  assert.equal(replaceSection(document.replace('- old', '- older'), section, 0), null)
  assert.equal(replaceSection(document.replace('## Transcript', '## Notes'), section, 0), null)
})

test('a document without a section that a person changed is left as it is', () => {
  assert.equal(replaceSection(`${PLAIN}More\n`, section, size(PLAIN)), null)
  assert.equal(replaceSection(TRANSCRIPT, section, size(TRANSCRIPT)), null)
  const renamed = PLAIN.replace('# Plan', 'Plan')
  assert.equal(replaceSection(renamed, section, size(renamed)), null)
})
