import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { findUserPaths, COMMIT_FILE, readCommit } from './load-config.ts'

test('the installed package keeps data and settings in the folders of the XDG specification', () => {
  const home = '/home/ada'
  assert.deepEqual(findUserPaths({ env: {}, home }), {
    data: '/home/ada/.local/share/hansard',
    settingsFile: '/home/ada/.config/hansard/.env',
  })
  const env = { XDG_DATA_HOME: '/srv/data', XDG_CONFIG_HOME: '/srv/etc' }
  assert.deepEqual(findUserPaths({ env, home }), {
    data: '/srv/data/hansard',
    settingsFile: '/srv/etc/hansard/.env',
  })
})

test('an empty or relative XDG variable counts as not set', () => {
  for (const given of ['', 'data', './data'])
    assert.equal(
      findUserPaths({ env: { XDG_DATA_HOME: given }, home: '/home/ada' }).data,
      '/home/ada/.local/share/hansard',
    )
})

const COMMIT = 'dcb05f12'.repeat(5)
const SHORT = COMMIT.slice(0, 12)

test('the commit is that of the package, of a branch, of a worktree or of a checked out commit', () => {
  const cases: Array<[files: Record<string, string>, expected: string | null]> = [
    [{}, null],
    [{ [COMMIT_FILE]: `${COMMIT}\n` }, SHORT],
    [{ '.git/HEAD': `${COMMIT}\n` }, SHORT],
    [{ '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` }, SHORT],
    [
      { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': `${COMMIT} refs/heads/main\n` },
      SHORT,
    ],
    [
      {
        '.git': 'gitdir: main/worktrees/mine\n',
        'main/worktrees/mine/HEAD': 'ref: refs/heads/mine\n',
        'main/worktrees/mine/commondir': '../..\n',
        'main/refs/heads/mine': `${COMMIT}\n`,
      },
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
