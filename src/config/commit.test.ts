import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { COMMIT_FILE, readCommit } from './commit.ts'

const COMMIT = 'dcb05f12'.repeat(5)
const SHORT = COMMIT.slice(0, 12)

test('the commit is that of the package, of a branch or of a checked out commit', () => {
  const cases: Array<[files: Record<string, string>, expected: string | null]> = [
    [{}, null],
    [{ [COMMIT_FILE]: `${COMMIT}\n` }, SHORT],
    [{ '.git/HEAD': `${COMMIT}\n` }, SHORT],
    [{ '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` }, SHORT],
    [
      { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `${COMMIT} refs/heads/main\n` },
      SHORT,
    ],
    [{ '.git/HEAD': 'ref: refs/heads/empty\n' }, null],
    [{ '.git/HEAD': 'ref: ../../secret\n', secret: COMMIT }, null],
  ]
  for (const [files, expected] of cases) {
    const root = mkdtempSync(join(tmpdir(), 'commit-'))
    using stack = new DisposableStack()
    stack.defer(() => rmSync(root, { recursive: true }))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    assert.equal(readCommit(root), expected)
  }
})
