import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  addGoogleConnection,
  googleFields,
  startGoogleWorld,
} from '../support/google/google-world.ts'
import {
  addConference,
  addUser,
  CALENDAR_SCOPE,
  formatForeignKeyFile,
  MEET_SCOPE,
  type Workspace,
} from '../support/google/workspace.ts'
import {
  check,
  getConnection,
  ORGANIZER,
  readAgain,
} from '../support/microsoft/connection-world.ts'
import { openForFile } from '../support/open-for-file.ts'

const world = openForFile(() => startGoogleWorld())

test('a check of Google with everything in place has a line for the key, each scope, each API and each person', async () => {
  const { admin, google, organizer } = world()
  addConference(google.workspace, organizer)
  const { id, problem } = await addGoogleConnection(world())
  assert.equal(problem, null)
  const { ok, checks } = await check(admin, id)
  assert.equal(ok, true)
  assert.deepEqual(
    checks.map(({ name }) => name),
    [
      'Sign in',
      'Scope meetings.space.readonly',
      'Scope calendar.events.readonly',
      'Google Meet API',
      'Google Calendar API',
      ORGANIZER,
    ],
  )
})

type Missing = {
  code: string
  /** True if the problem is that of the person, because it might be only theirs. */
  isPersonal?: boolean
  /** The line of the check that fails. */
  line: string
  text: RegExp
  change(workspace: Workspace): void
}

const HOUR_MS = 3_600_000
const MISSING: Readonly<Record<string, Missing>> = {
  'a key that was deleted': {
    code: 'key_refused',
    line: 'Sign in',
    text: /was deleted or disabled/,
    change: (workspace) => void (workspace.keys = []),
  },
  'a scope for transcripts that is not delegated': {
    code: 'not_delegated',
    isPersonal: true,
    line: 'Scope meetings.space.readonly',
    text: /scope meetings\.space\.readonly/,
    change: (workspace) => void (workspace.delegatedScopes = [CALENDAR_SCOPE]),
  },
  'a scope for titles that is not delegated': {
    code: 'delegation_missing',
    line: 'Scope calendar.events.readonly',
    text: /scope calendar\.events\.readonly/,
    change: (workspace) => void (workspace.delegatedScopes = [MEET_SCOPE]),
  },
  'a Meet API that is not enabled': {
    code: 'api_disabled',
    line: 'Google Meet API',
    text: /^The Google Meet API is not enabled/,
    change: (workspace) => void (workspace.enabledApis = ['calendar']),
  },
  'a Calendar API that is not enabled': {
    code: 'api_disabled',
    line: 'Google Calendar API',
    text: /^The Google Calendar API is not enabled/,
    change: (workspace) => void (workspace.enabledApis = ['meet']),
  },
  'a clock that is an hour late': {
    code: 'clock_wrong',
    line: 'Sign in',
    text: /differs from Google’s by 60 minutes/,
    change(workspace) {
      const { now } = workspace
      workspace.now = () => new Date(now().getTime() + HOUR_MS)
    },
  },
  'a clock that is an hour early': {
    code: 'clock_wrong',
    line: 'Sign in',
    text: /differs from Google’s by 60 minutes/,
    change(workspace) {
      const { now } = workspace
      workspace.now = () => new Date(now().getTime() - HOUR_MS)
    },
  },
}

for (const [name, { code, line, text, change, isPersonal = false }] of Object.entries(MISSING)) {
  test(`${name} is named by the check and by a read, and the check succeeds when that is repaired`, async () => {
    const { admin, google, organizer } = world()
    const before = { ...google.workspace }
    addConference(google.workspace, organizer)
    change(google.workspace)
    const connection = await addGoogleConnection(world())
    const { id } = connection
    const problem = isPersonal ? connection.organizers[0]?.problem : connection.problem
    assert.equal(problem?.code, code)
    assert.match(problem?.text ?? '', text)
    const { checks } = await check(admin, id)
    const failed = checks.filter(({ ok }) => !ok)
    assert.deepEqual(
      failed.map(({ name: failedName }) => failedName),
      [line],
    )
    assert.match(failed[0]?.text ?? '', text)
    Object.assign(google.workspace, before)
    assert.equal((await check(admin, id)).ok, true)
    await admin.delete(`/web/connections/${id}`)
  })
}

test('people who are unknown, suspended, of another organization, without Google Meet or without transcripts are named', async () => {
  const { admin, google } = world()
  const { workspace } = google
  addUser(workspace, 'suspended@example.com').isSuspended = true
  addUser(workspace, 'no-meet@example.com').hasMeet = false
  const silent = addUser(workspace, 'silent@example.com')
  addConference(workspace, silent).transcripts.length = 0
  addConference(workspace, silent).transcripts.length = 0
  const organizers = [
    'ada@elsewhere.test',
    ORGANIZER,
    'no-meet@example.com',
    'nobody@example.com',
    'suspended@example.com',
  ]
  const { id, problem } = await addGoogleConnection(world(), { organizers })
  assert.equal(problem, null)
  const { organizers: shown } = await getConnection(admin, id)
  assert.deepEqual(
    Object.fromEntries(shown.map(({ address, problem: own }) => [address, own?.code])),
    {
      'ada@elsewhere.test': 'not_delegated',
      [ORGANIZER]: undefined,
      'no-meet@example.com': 'service_refused',
      'nobody@example.com': 'organizer_not_found',
      'suspended@example.com': 'organizer_not_found',
    },
  )
  const { checks } = await check(admin, id)
  const texts = Object.fromEntries(checks.map(({ name, text }) => [name, text]))
  assert.match(texts['no-meet@example.com'] ?? '', /use Google Meet\. .* licence/)
  assert.match(texts['ada@elsewhere.test'] ?? '', /not in the organization/)
  assert.equal(texts['Scope meetings.space.readonly'], 'Granted, for transcripts')
  const quiet = await addGoogleConnection(world(), { organizers: [silent.address] })
  const line = (await check(admin, quiet.id)).checks.at(-1)
  assert.equal(line?.ok, false)
  assert.match(line?.text ?? '', /^None of the last 2 meetings/)
})

test('a key of the service account that Google does not have is refused, and a new one replaces it', async () => {
  const { admin, clock } = world()
  const wrong = { serviceAccountKey: formatForeignKeyFile() }
  const { id, problem } = await addGoogleConnection(world(), wrong)
  assert.equal(problem?.code, 'key_refused')
  const { serviceAccountKey } = googleFields(clock)
  await admin.request('PATCH', `/web/connections/${id}`, { serviceAccountKey }, {})
  assert.equal((await readAgain(world(), id)).problem, null)
})
