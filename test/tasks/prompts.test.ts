import { strict as assert } from 'node:assert'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { UserViewer } from '../../src/access/viewer.ts'
import { createPromptStore } from '../../src/tasks/prompts/editing/prompt-store.ts'
import { createTrialTaskName, listEndedTrials } from '../../src/tasks/task-store.ts'
import {
  startAccessWorld,
  type AccessWorld,
  type Credentials,
} from '../support/access/access-world.ts'
import { eventually } from '../support/time/eventually.ts'
import { createFolderPrompts } from '../../src/tasks/prompts/store/folder-prompts.ts'

/** Reading, writing and trying prompts in the console. */

type Person = Credentials & { userId: string }
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const TEXT = '---\ndescription: A test\nbuiltin: stats\n---\nToday is {{ date }}.\n'

let world: AccessWorld
let folder: string
let admin: Person
let bob: Person
let eve: Person
before(async () => {
  world = await startAccessWorld()
  folder = join(world.dataFolder, 'scheduled-prompts')
  admin = await world.addUser('admin')
  bob = await world.addUser()
  eve = await world.addUser()
})
after(() => world[Symbol.asyncDispose]())

async function call(
  person: Person,
  method: Method,
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
) {
  const { statusCode, body } = await world.app.inject({
    method,
    url: `/web/${path}`,
    headers: { ...person.session, ...headers },
    ...(payload !== undefined && { payload }),
  })
  return { status: statusCode, body: JSON.parse(body) as Record<string, unknown> }
}

const NEW = { 'if-none-match': '*' }
const write = (person: Person, name: string, text = TEXT, headers: Record<string, string> = NEW) =>
  call(person, 'PUT', `prompt-files/${name}`, { text }, headers)
const read = async (person: Person, name: string) =>
  (await call(person, 'GET', `prompt-files/${name}`)).body['prompt'] as Record<string, unknown>
const fileOf = (name: string) => join(folder, `${name}.md`)
const preview = async (person: Person, text: string, meetingId?: string) =>
  call(person, 'POST', 'prompt-preview', { text, ...(meetingId !== undefined && { meetingId }) })

async function galleryEntry(person: Person, name: string) {
  const { body } = await call(person, 'GET', 'prompt-gallery')
  return (body['prompts'] as Array<Record<string, unknown>>).find((one) => one['name'] === name)
}

test('a member creates a prompt, changes it against its ETag and deletes it, and each is audited', async () => {
  const created = await write(bob, 'team/notes')
  assert.equal(created.status, 201, JSON.stringify(created.body))
  assert.equal(readFileSync(fileOf('team/notes'), 'utf8'), TEXT)
  assert.deepEqual(await galleryEntry(bob, 'team/notes'), {
    name: 'team/notes',
    description: 'A test',
    model: null,
    builtin: 'stats',
    project: 'api',
    tools: ['list_projects', 'list_documents', 'read_document', 'search_documents'],
    variables: ['date'],
    problems: [],
    modelProblem: null,
    isBuiltIn: false,
    refusal: null,
    authorName: bob.userId,
    tasks: [],
    hasHiddenTasks: false,
  })
  const { etag, text } = await read(bob, 'team/notes')
  assert.equal(text, TEXT)
  const changed = await write(bob, 'team/notes', `${TEXT}More.\n`, { 'if-match': String(etag) })
  assert.equal(changed.status, 200)
  const stale = await write(bob, 'team/notes', 'Lost', { 'if-match': String(etag) })
  assert.equal(stale.body['code'], 'precondition_failed')
  assert.equal(readFileSync(fileOf('team/notes'), 'utf8'), `${TEXT}More.\n`)
  assert.equal((await write(bob, 'team/notes')).body['code'], 'precondition_failed')
  assert.equal((await call(bob, 'DELETE', 'prompt-files/team/notes')).status, 200)
  assert.equal(existsSync(join(folder, 'team')), false)
  assert.equal((await call(bob, 'GET', 'prompt-files/team/notes')).status, 404)
  const audit = await world.db
    .selectFrom('audit')
    .select(['action', 'actor'])
    .where('object', '=', 'team/notes')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    audit.map(({ action, actor }) => `${actor} ${action}`),
    ['prompt created', 'prompt changed', 'prompt removed'].map(
      (one) => `user:${bob.userId} ${one}`,
    ),
  )
})

test('of writers that create one prompt at the same moment, one succeeds', async () => {
  const texts = Array.from({ length: 6 }, (_, i) => `${TEXT}${i}`)
  const answers = await Promise.all(texts.map((text) => write(bob, 'raced', text)))
  const winners = answers.flatMap(({ status }, i) => (status === 201 ? [texts[i]] : []))
  assert.equal(winners.length, 1)
  assert.equal(readFileSync(fileOf('raced'), 'utf8'), winners[0])
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [],
  )
})

test('names that lead elsewhere, links and folders are refused, and nothing is written through them', async () => {
  for (const name of [
    '..%2fx',
    '%2e%2e/x',
    '.hidden',
    'a%5cb',
    'a//b',
    'a b',
    'x'.repeat(129),
    'é',
  ]) {
    const { status, body } = await write(bob, name)
    assert.ok([400, 404].includes(status), `${name}: ${status} ${JSON.stringify(body)}`)
  }
  assert.equal(existsSync(join(world.dataFolder, 'x.md')), false)
  const outside = join(world.dataFolder, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.md'), 'secret')
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync(join(outside, 'secret.md'), fileOf('link'))
  mkdirSync(fileOf('folder'))
  for (const name of ['linked/secret', 'linked/new', 'link', 'folder']) {
    const { status, body } = await write(admin, name, TEXT, {})
    assert.equal(body['code'], 'path_taken', `${name}: ${status}`)
    const shown = await call(admin, 'GET', `prompt-files/${name}`)
    assert.ok(!JSON.stringify(shown.body).includes('secret"'), name)
  }
  assert.equal((await call(admin, 'DELETE', 'prompt-files/link')).body['code'], 'path_taken')
  assert.equal(readFileSync(join(outside, 'secret.md'), 'utf8'), 'secret')
  assert.deepEqual(readdirSync(outside), ['secret.md'])
  for (const name of ['linked', 'link.md', 'folder.md'])
    rmSync(join(folder, name), { recursive: true })
})

test('built-in prompts are read-only for everyone, also for admins', async () => {
  assert.equal((await galleryEntry(bob, 'daily-digest'))?.['isBuiltIn'], true)
  assert.equal((await read(admin, 'daily-digest'))['refusal'], 'built_in')
  for (const person of [admin, bob]) {
    const answer = await write(person, 'daily-digest', TEXT, {})
    assert.equal(answer.body['code'], 'prompt_read_only')
    const removed = await call(person, 'DELETE', 'prompt-files/daily-digest')
    assert.equal(removed.body['code'], 'prompt_read_only')
  }
})

test('members change only their own prompts; a text written by hand belongs to nobody', async () => {
  await write(bob, 'of-bob')
  assert.equal((await read(eve, 'of-bob'))['refusal'], 'not_author')
  assert.equal((await write(eve, 'of-bob', TEXT, {})).body['code'], 'prompt_read_only')
  assert.equal((await write(admin, 'of-bob', `${TEXT}By an admin`, {})).status, 200)
  assert.equal((await write(bob, 'of-bob', `${TEXT}By Bob`, {})).status, 200)
  writeFileSync(fileOf('of-bob'), `${TEXT}By hand`)
  assert.equal((await write(bob, 'of-bob', TEXT, {})).body['code'], 'prompt_read_only')
  assert.equal((await read(bob, 'of-bob'))['authorName'], null)
  assert.equal((await write(admin, 'of-bob', `${TEXT}Shared`, {})).status, 200)
  assert.equal((await read(bob, 'of-bob'))['refusal'], 'not_author')
})

test('a prompt that a task of another person uses is changed by admins only, and deleted by nobody', async () => {
  await write(bob, 'used')
  await call(bob, 'POST', 'tasks', { name: 'of-bob-task', promptName: 'used' })
  assert.equal((await read(bob, 'used'))['refusal'], null)
  assert.equal((await call(bob, 'DELETE', 'prompt-files/used')).body['code'], 'prompt_in_use')
  await call(eve, 'POST', 'tasks', { name: 'of-eve', promptName: 'used', project: 'eves' })
  await world.setAccess('eves', 'private')
  const refused = await read(bob, 'used')
  assert.equal(refused['refusal'], 'used_by_others')
  assert.deepEqual(refused['tasks'], ['of-bob-task'])
  assert.equal(refused['hasHiddenTasks'], true)
  const stranger = await world.addUser()
  assert.equal((await read(stranger, 'used'))['hasHiddenTasks'], false)
  assert.equal((await galleryEntry(stranger, 'used'))?.['hasHiddenTasks'], false)
  assert.equal((await write(bob, 'used', `${TEXT}x`, {})).body['code'], 'prompt_read_only')
  assert.equal((await write(admin, 'used', `${TEXT}x`, {})).status, 200)
  const { body } = await call(admin, 'DELETE', 'prompt-files/used')
  assert.equal(body['code'], 'prompt_in_use')
  assert.ok(!JSON.stringify(body).includes('of-eve'))
})

test('a member cannot create a prompt that a task of another person names and whose file is missing', async () => {
  await write(eve, 'lost')
  await call(eve, 'POST', 'tasks', { name: 'runs-lost', promptName: 'lost' })
  rmSync(fileOf('lost'))
  assert.equal((await write(bob, 'lost')).body['code'], 'prompt_read_only')
  assert.equal(existsSync(fileOf('lost')), false)
  assert.equal((await write(eve, 'lost')).status, 201)
})

test('a trial of a prompt by another person neither locks its author out nor keeps it from being deleted', async () => {
  await write(bob, 'tried')
  const run = async (person: Person, promptName: string) => {
    const { status, body } = await call(person, 'POST', 'prompt-trials', { promptName })
    assert.equal(status, 202, JSON.stringify(body))
    return String(body['executionId'])
  }
  const nameOf = async (executionId: string) => {
    const { body } = await call(eve, 'GET', `executions/${executionId}`)
    const execution = body['execution'] as Record<string, unknown>
    return execution['status'] === 'running' ? null : String(execution['name'])
  }
  const firstId = await run(eve, 'tried')
  const firstName = await eventually(() => nameOf(firstId))
  assert.equal((await write(bob, 'tried', `${TEXT}About {{ meeting.title }}`, {})).status, 200)
  await call(bob, 'POST', 'meetings/import', { content: 'Ada: Hello', title: 'Newest' })
  const { body: first } = await call(eve, 'GET', `tasks/${firstName}`)
  assert.equal((first['task'] as Record<string, unknown>)['trigger'], undefined)
  const executionId = await run(eve, 'tried')
  const name = await eventually(() => nameOf(executionId))
  assert.equal((await call(eve, 'GET', `tasks/${firstName}`)).status, 404)
  const { body: second } = await call(eve, 'GET', `tasks/${name}`)
  const { trigger, promptName } = second['task'] as Record<string, unknown>
  assert.deepEqual(
    { trigger, promptName },
    { trigger: { on: 'meeting_ended' }, promptName: 'tried' },
  )
  const runs = second['recentExecutions'] as Array<Record<string, unknown>>
  assert.deepEqual(
    runs.map((one) => one['executionId']),
    [executionId],
  )
  const { body: listed } = await call(eve, 'GET', 'tasks')
  assert.ok(!JSON.stringify(listed).includes(name))
  assert.deepEqual((await read(bob, 'tried'))['tasks'], [])
  const squatted = { name: `trial-${bob.userId}`, promptName: 'tried' }
  assert.equal((await call(eve, 'POST', 'tasks', squatted)).body['code'], 'task_exists')
  // A trial that starts by itself is an ordinary task.
  await call(eve, 'PUT', `tasks/${name}`, { enabled: true })
  assert.equal((await read(bob, 'tried'))['refusal'], 'used_by_others')
  await call(eve, 'PUT', `tasks/${name}`, { enabled: false })
  assert.equal((await call(bob, 'DELETE', 'prompt-files/tried')).status, 200)
  const missing = await call(eve, 'POST', 'prompt-trials', { promptName: 'tried' })
  assert.equal(missing.body['code'], 'prompt_not_found')
})

test('two trials of a person at the same time both run', async () => {
  await write(eve, 'tried-twice')
  await sql`create function wait_to_end() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(7101); return new; end'`.execute(world.db)
  await sql`create trigger wait_to_end before update of status on execution
    for each row execute function wait_to_end()`.execute(world.db)
  // No trial may end in the meantime, because a later one removes trials that have ended.
  await world.db.connection().execute(async (held) => {
    await sql`select pg_advisory_lock(7101)`.execute(held)
    const tries = [1, 2, 3].map(() =>
      call(eve, 'POST', 'prompt-trials', { promptName: 'tried-twice' }),
    )
    for (const { status, body } of await Promise.all(tries)) {
      assert.equal(status, 202, JSON.stringify(body))
      const found = await call(eve, 'GET', `executions/${String(body['executionId'])}`)
      assert.equal(found.status, 200)
    }
    await sql`select pg_advisory_unlock(7101)`.execute(held)
  })
  await sql`drop trigger wait_to_end on execution`.execute(world.db)
})

test('another trial of the person leaves one that is about to run, unless its node was killed', async () => {
  const name = createTrialTaskName(eve.userId)
  await sql`insert into task (id, name, prompt_name, timezone, enabled, timeout_ms, created_at, updated_at, owner_id)
    values (${name}, ${name}, 'p', 'UTC', false, 1000, now(), now(), ${eve.userId})`.execute(
    world.db,
  )
  const isLeft = async () => !(await listEndedTrials(world.db, eve.userId)).includes(name)
  assert.equal(await isLeft(), true)
  await sql`update task set created_at = now() - interval '2 hours' where name = ${name}`.execute(
    world.db,
  )
  assert.equal(await isLeft(), false)
})

test('of a deletion and a task that begins to use the prompt at the same moment, one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    await write(bob, `contested-${round}`)
    const task = { name: `contested-${round}`, promptName: `contested-${round}` }
    const [created, removed] = await Promise.all([
      call(bob, 'POST', 'tasks', task),
      call(bob, 'DELETE', `prompt-files/contested-${round}`),
    ])
    const outcome = `${created.status} ${removed.status}`
    assert.ok(['201 409', '404 200'].includes(outcome), outcome)
  }
})

test('a write that fails leaves no audit entry', async () => {
  const actionsOf = async (name: string) => {
    const rows = await world.db
      .selectFrom('audit')
      .select('action')
      .where('object', '=', name)
      .execute()
    return rows.map(({ action }) => action)
  }
  writeFileSync(join(folder, 'plain'), 'a file where a folder should be')
  assert.equal((await write(bob, 'plain/x')).body['code'], 'path_taken')
  assert.deepEqual(await actionsOf('plain/x'), [])
  rmSync(join(folder, 'plain'))
})

test('there is a limit on the number of prompts', async () => {
  mkdirSync(join(folder, 'many'))
  for (let i = 0; i < 500; i += 1) writeFileSync(join(folder, 'many', `${i}.md`), TEXT)
  assert.equal((await write(bob, 'one-more')).body['code'], 'too_many_prompts')
  assert.equal((await write(bob, 'raced', `${TEXT}again`, {})).status, 200)
  rmSync(join(folder, 'many'), { recursive: true })
  assert.equal((await write(bob, 'one-more')).status, 201)
})

test('a text with errors or over the size limit is not saved', async () => {
  const noKey = '---\nmodel: openai/gpt-x\n---\nx'
  for (const text of ['---\nmodle: x\n---\nx', noKey, '{{ nothing }}', '{% if %}', '']) {
    const { status, body } = await write(bob, 'bad', text)
    assert.equal(status, 400, text)
    assert.equal(body['code'], 'invalid_prompt')
  }
  assert.equal((await write(bob, 'bad', 'x'.repeat(256 * 1024 + 1))).status, 400)
  assert.equal((await write(bob, 'bad', 'é'.repeat(200 * 1024))).body['code'], 'invalid_prompt')
  assert.equal((await write(bob, 'bad', 'x'.repeat(3 * 1024 * 1024))).status, 413)
  assert.equal(existsSync(fileOf('bad')), false)
})

test('nothing is written without free disk space', async () => {
  const store = createPromptStore({
    db: world.db,
    promptFiles: createFolderPrompts(folder),
    builtIns: new Map(),
    hasDiskSpace: () => false,
    checkText: async () => ({ notes: [], prompt: null, variables: [] }),
  })
  const viewer: UserViewer = { kind: 'user', userId: bob.userId, role: 'member', projects: null }
  const conditions = { ifMatch: undefined, ifNoneMatch: undefined }
  const writing = store.write(viewer, { name: 'full', text: TEXT }, conditions, async () => {})
  await assert.rejects(writing, { code: 'storage_full' })
  assert.equal(existsSync(fileOf('full')), false)
})

test('a preview lists every problem with its line and sends nothing to a model', async () => {
  const text = [
    '---',
    'temperature: 9',
    'output:',
    '  path: x',
    '---',
    'Hello {{ metting.title }}',
    '{{ meeting.tittle }} {{ transcripts | limit: 2 | size }}',
  ]
  const settings = await preview(bob, text.join('\n'))
  assert.deepEqual(
    (settings.body['notes'] as Array<{ line: number }>).map(({ line }) => line),
    [2, 4],
  )
  const body = ['---', 'tools: [nope]', '---', ...text.slice(5)]
  const { body: found } = await preview(bob, body.join('\n'))
  assert.deepEqual(found['notes'], [
    { severity: 'error', line: 2, message: 'tools: There is no tool nope' },
    {
      severity: 'error',
      line: 4,
      message: 'There is no variable metting; did you mean meeting?',
    },
    {
      severity: 'error',
      line: 5,
      message: 'There is no variable meeting.tittle; did you mean meeting.title?',
    },
    {
      severity: 'warning',
      line: 1,
      message: 'Add a description, so that others know what the prompt is for',
    },
  ])
  assert.equal(found['rendered'], null)
  assert.deepEqual(found['variables'], ['meeting', 'transcripts'])
  const syntax = await preview(bob, 'a\nb\n{% for x %}')
  assert.equal((syntax.body['notes'] as Array<{ line: number }>)[0]?.line, 3)
})

test('a preview fills in a meeting that the person may read, and says that a model is missing', async () => {
  const imported = await call(admin, 'POST', 'meetings/import', {
    content: 'Ada: We ship on Friday.\nGrace: Agreed.',
    title: 'Planning',
    project: 'hidden',
  })
  assert.equal(imported.status, 201, JSON.stringify(imported.body))
  const meetingId = String(imported.body['meetingId'])
  const text = '---\ndescription: x\n---\nAbout {{ meeting.title }}:\n{{ meeting.text }}'
  const { body } = await preview(admin, text, meetingId)
  const rendered = body['rendered'] as { text: string; length: number; tokens: number }
  assert.match(
    rendered.text,
    /^About Planning:\n<document [^]*Ada: We ship on Friday\.[^]*<\/document>$/,
  )
  assert.equal(rendered.length, rendered.text.length)
  assert.match(String(body['modelProblem']), /HANSARD_AI_MODEL/)
  const { body: without } = await preview(admin, '{{ meeting.segments | limit: 1 }}')
  assert.equal(without['rendered'], null)
  assert.match(String(without['failure']), /limit needs a list/)
  await world.setAccess('hidden', 'private')
  assert.equal((await preview(eve, text, meetingId)).body['code'], 'meeting_not_found')
  const lists = await preview(eve, '{% for one in transcripts %}{{ one.title }}{% endfor %}.')
  // Only the meeting that an earlier test imported into a project for everyone.
  assert.equal((lists.body['rendered'] as { text: string }).text, 'Newest.')
})
