import { strict as assert } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const web = join(import.meta.dirname, '../..')

/** The times that each form is for, by the last word of what a page shows. The other forms show a date. */
const WORDS = {
  ago: /^(?:last[A-Z]\w*|beatAt|polledAt)$|\blastBackup\.at$/,
  relative: /^(?:next[A-Z]\w*At|\w*(?:expiresAt|Due|Until)|startsAt|startedAt)$/,
}

test('pages show how long ago only for the last time of something, and how long until only for what will happen', () => {
  const shown = globSync('**/*.tsx', { cwd: web }).flatMap((file) => [
    ...readFileSync(join(web, file), 'utf8').matchAll(
      /<Time\s[^>]*?at=\{([^}]+)\}\s+show="(\w+)"/g,
    ),
  ])
  assert.ok(shown.length > 50)
  for (const [, at = '', show] of shown) {
    if (show !== 'ago' && show !== 'relative') continue
    const name = at === 'lastBackup.at' ? at : (at.split('.').at(-1) ?? '')
    assert.match(name, WORDS[show], `<Time at={${at}} show="${show}" />`)
  }
})
