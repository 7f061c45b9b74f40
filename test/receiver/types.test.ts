import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { z } from 'zod'
import { CALLBACK_ERRORS, type EventPayloads, type MeetingEvent } from 'hansard/receiver'
import { declareEvents, TYPES_FILES } from '../../scripts/receiver-types.ts'
import type { EventPayload, EventType } from '../../src/meetings/event-types.ts'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { runProgram } from '../support/service/run-program.ts'

const read = (name: string) => readFileSync(join(INSTALLATION_FOLDER, name), 'utf8')

/** Does not compile when the declared payloads differ from those of the service. */
export const SAME_PAYLOADS = {
  declared: (payload: EventPayloads): { [T in EventType]: EventPayload<T> } => payload,
  types: (type: EventType): MeetingEvent['type'] => type,
}

test('the declared events match the table of event types', () => {
  const hint = 'run: node bin/with-node.mjs scripts/receiver-types.ts --write'
  for (const file of TYPES_FILES) assert.equal(readFileSync(file, 'utf8'), declareEvents(), hint)
})

test('the generator declares every kind of payload field in TypeScript', () => {
  const payload = z.object({
    one: z.literal("it's a \\"),
    maybe: z.boolean().nullable().optional(),
    level: z.enum(['low', 'high']).nullable(),
    many: z.array(z.union([z.string(), z.int()])).describe('All of them'),
    inner: z.array(z.object({ share: z.number() })),
  })
  const declared = declareEvents({ sample: { about: 'A sample', payload } })
  assert.equal(
    declared.slice(declared.indexOf('export')),
    [
      'export interface EventPayloads {',
      '  /** A sample */',
      '  sample: {',
      "    one: 'it\\'s a \\\\'",
      '    maybe?: boolean | null | undefined',
      "    level: 'low' | 'high' | null",
      '    /** All of them */',
      '    many: Array<string | number>',
      '    inner: {',
      '      share: number',
      '    }[]',
      '  }',
      '}',
      '',
    ].join('\n'),
  )
})

test('the generator throws for a payload type it does not support', () => {
  const payload = z.object({ anything: z.unknown() })
  assert.throws(() => declareEvents({ sample: { about: '', payload } }), /no TypeScript for/)
})

test('the declared error codes of the receiver are those it throws', () => {
  const [, union = ''] = /CallbackErrorCode =([^]*?)\n\n/.exec(read('receiver/index.d.ts')) ?? []
  const declared = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
  assert.deepEqual(declared, Object.keys(CALLBACK_ERRORS))
})

test('docs/receive-callbacks.md lists exactly the error codes of the receiver, in order', () => {
  const rows = read('docs/receive-callbacks.md')
    .split('\n')
    .filter((line) => /^\| `[a-z_]+` \| \d{3} \|/.test(line))
  const expected = Object.entries(CALLBACK_ERRORS).map(
    ([code, { status, text }]) => `| \`${code}\` | ${status} | ${text} |`,
  )
  assert.deepEqual(rows, expected)
})

test('the declarations and the JavaScript examples pass the type check', async () => {
  const tsc = join(INSTALLATION_FOLDER, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '--noEmit', '--skipLibCheck', 'false', '-p', 'examples']
  const command = [process.execPath, ...args] as const
  const { code, stdout } = await runProgram(command, { cwd: INSTALLATION_FOLDER })
  assert.equal(`${stdout}${code}`, '0')
})
