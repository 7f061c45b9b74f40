import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const web = join(import.meta.dirname, '../..')
const files = globSync('**/*.tsx', { cwd: web }).map((file) =>
  readFileSync(join(web, file), 'utf8'),
)

/** The times that each form is for, by their names. The other forms show a date. */
const NAMES = {
  ago: /^(?:last[A-Z]\w*|beatAt|polledAt)$/,
  relative: /^(?:next[A-Z]\w*At|\w*(?:expiresAt|Due|Until)|startsAt|startedAt)$/,
}

test('pages show how long ago only for the last time of something, and how long until only for what will happen', () => {
  const shown = files.flatMap((text) => [
    ...text.matchAll(/<Time\s[^>]*?at=\{([^}]+)\}\s+show="(\w+)"/g),
  ])
  assert.ok(shown.length > 50)
  for (const [, at = '', show] of shown) {
    if (show !== 'ago' && show !== 'relative') continue
    const name = at.split('.').findLast((word) => word !== 'at') ?? at
    assert.match(name, NAMES[show], `<Time at={${at}} show="${show}" />`)
  }
})

test('no page writes a date in the format of the browser', () => {
  assert.deepEqual(
    files.flatMap((text) => text.match(/new Date\(\w*\)\.toLocale\w*/g) ?? []),
    [],
  )
})
