import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { TranscriptContent } from '../../src/meetings/transcript/source.ts'
import { writeVcon } from '../../src/meetings/transcript/vcon-format.ts'

const PYTHON = process.env['PYTHON'] ?? 'python3'
const python = (program: string, input = '') =>
  spawnSync(PYTHON, ['-W', 'ignore', '-c', program], { input, encoding: 'utf8', timeout: 60_000 })
const isMissing = python('import vcon').status !== 0

const VALIDATE = `
import json, sys
from vcon import Vcon
print(json.dumps(Vcon(json.load(sys.stdin)).is_valid()[1]))`

const startedAt = new Date('2026-03-01T10:00:00.000Z')
const MEETING: TranscriptContent = {
  title: 'Weekly \u202E"quoted"',
  platform: 'Google Meet',
  startedAt,
  endedAt: new Date('2026-03-01T10:30:00.000Z'),
  participants: ['Ana', 'Bob\n[00:00:00] x: y'],
  segments: ['Ana', 'Bo', 'Ana'].map((speaker, index) => ({
    number: index + 1,
    speaker,
    text: 'Zürich 🙂 <b>',
    startedAt: new Date(startedAt.getTime() + index * 1_234),
  })),
  gaps: [{ cause: 'restarted', startedAt, endedAt: startedAt, afterSegment: 1 }],
  insights: [{ category: 'action_item', text: 'Bob writes', segmentNumbers: [2, 3] }],
}

/**
 * The package knows only dialogs of sound, and looks for their type in `mimetype`, which the draft has renamed to
 * `mediatype`. It says so of every dialog of text, and must have nothing else to say.
 */
test(
  'a vCon is valid for the Python package `vcon`, except that the package knows no dialogs of text',
  { skip: isMissing && `${PYTHON} has no package vcon` },
  () => {
    const { stdout, stderr, status } = python(
      VALIDATE,
      [...writeVcon(MEETING, 'meeting_1')].join(''),
    )
    assert.equal(status, 0, stderr)
    const problems = JSON.parse(stdout) as string[]
    assert.deepEqual(
      problems.filter((problem) => !/^Dialog \d+ has invalid mimetype: missing$/.test(problem)),
      [],
    )
    const broken = [...writeVcon(MEETING, 'meeting_1')]
      .join('')
      .replace('"parties":[0]', '"parties":[9]')
    assert.match(python(VALIDATE, broken).stdout, /invalid party index: 9/)
  },
)
