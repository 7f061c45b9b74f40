import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import type { Db } from '../../src/db/database.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { openProjectsArea } from '../../src/projects/area.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'
import { toSearchVector } from '../../src/projects/search/words/search-vector.ts'
import { DOCUMENT_READING_TOOL_NAMES } from '../../src/tasks/prompts/parse-prompt.ts'
import { truncateToTokens, wrapInDocumentTags, toSafePromptLine } from '../../src/ai/prompt-text.ts'
import {
  toMeetingVariable,
  createSampleInputs,
} from '../../src/tasks/prompts/template/template-variables.ts'
import { createDocumentReadingTools } from '../../src/tasks/running/document-tools.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { openModelServer, type ModelServerRequest } from '../support/tasks/model-server.ts'
import {
  createTaskDataFolder,
  startTaskService,
  transcriptMarkdown,
} from '../support/tasks/task-service.ts'

const TEXTS = JSON.parse(
  readFileSync(join(import.meta.dirname, 'hostile/texts.json'), 'utf8'),
) as string[]
const SPOKEN_AT = '2026-11-15T09:00:00.000Z'
const SECRET = 'The merger is on Thursday'
const KEY = 'sk-do-not-tell-1234567890'
const OPENING = /<[\s\p{Cf}]*document\b/giu
const CLOSING = /<[\s\p{Cf}]*\/[\s\p{Cf}]*document\b/giu

/** The variable `meeting.text` of a meeting in which everything is this text. */
function meetingText(text: string): string {
  const { meeting } = createSampleInputs()
  assert.ok(meeting)
  const entries = [{ number: 1, time: '00:00:00', speaker: text, text }]
  return toMeetingVariable({ ...meeting, title: text, documentPath: text, entries }).text
}

test('no hostile text, path or title can end a document block or begin another', () => {
  assert.equal(TEXTS.length, 50)
  for (const text of TEXTS) {
    for (const block of [
      wrapInDocumentTags('a.md', text),
      wrapInDocumentTags(text, 'x'),
      truncateToTokens(wrapInDocumentTags('a', text), 20),
      meetingText(text),
    ]) {
      assert.equal(block.match(OPENING)?.length, 1, text.slice(0, 60))
      assert.equal(block.match(CLOSING)?.length, 1, text.slice(0, 60))
      assert.ok(block.startsWith('<document path="') && block.endsWith('\n</document>'))
    }
    const title = toSafePromptLine(text)
    assert.doesNotMatch(title, /[\p{Cc}\u202a-\u202e\u200b]/u)
    assert.ok(title.length <= 301)
  }
})

/** Tool calls of a model that obeys every instruction in the documents. */
const ATTEMPTS: Array<[tool: (typeof DOCUMENT_READING_TOOL_NAMES)[number], input: object]> = [
  ['read_document', { project: 'secret', path: 'plan.md' }],
  ['read_document', { project: '..', path: 'secret/plan.md' }],
  ['read_document', { project: 'api', path: '../secret/plan.md' }],
  ['read_document', { project: 'api', path: '../../../secrets/master.key' }],
  ['read_document', { project: 'api', path: '/etc/passwd' }],
  ['read_document', { project: 'api', path: 'meetings/../../secret/plan.md' }],
  ['read_document', { project: 'api', path: 'plan.md\0.md' }],
  ['read_document', { project: 'api/../secret', path: 'plan.md' }],
  ['list_documents', { project: 'secret' }],
  ['list_documents', { project: '../..' }],
  ['list_documents', { project: 'api', prefix: '../' }],
  ['search_documents', { query: 'merger', project: 'secret' }],
  ['search_documents', { query: 'merger Thursday' }],
  ['list_projects', { project: 'secret' }],
]

/** Inserts a meeting with one segment into the project. */
async function insertMeeting(db: Db, project: string, text: string): Promise<void> {
  const path = `deployed-md-files/docs/${project}/meetings/talk.md`
  await sql`with talk as (
      insert into meeting (id, platform, url, room, label, project, document_path, callback_url, options, status,
        started_at)
      values (${project}, 'practice', '', '', 'Talk', ${project}, ${path}, '', '{}', 'ended', ${SPOKEN_AT})
      returning id)
    insert into segment (meeting_id, number, caption_id, speaker, text, started_at, words)
    select id, 1, '1', 'Ada', ${text}, ${SPOKEN_AT}, ${toSearchVector(text)}::tsvector from talk`.execute(
    db,
  )
}

test('the tools of a model read only the projects of its prompt', async () => {
  using data = createTaskDataFolder({})
  data.writeDocument('api/notes.md', 'Nothing special')
  data.writeDocument('secret/plan.md', SECRET)
  await using database = await openTestDatabase()
  await using projects = await openProjectsArea({
    ...database,
    clock: systemClock,
    log: createLog('silent'),
    files: createFolderDocuments(data.path),
    hasDiskSpace: () => true,
    registerProject: () => Promise.resolve(),
  })
  await insertMeeting(database.db, 'api', 'Nobody knows the forecast')
  await insertMeeting(database.db, 'secret', `${SECRET}, says the forecast`)
  const read: string[] = []
  const tools = createDocumentReadingTools(DOCUMENT_READING_TOOL_NAMES, {
    documentReader: projects.openDocumentReader(INSTANCE_VIEWER),
    projects: ['api'],
    onDocumentRead: (path) => read.push(path),
  })
  const call = (name: string, input: object) => {
    const found = tools.find((tool) => tool.name === name)
    assert.ok(found)
    return found.run(input, new AbortController().signal)
  }
  for (const [tool, input] of ATTEMPTS) {
    const answer = await call(tool, input)
    assert.ok(!/merger|plan\.md|root:/i.test(answer), `${tool} ${JSON.stringify(input)}: ${answer}`)
  }
  assert.deepEqual(read, [])
  assert.match(await call('read_document', { project: 'api', path: 'notes.md' }), /Nothing special/)
  assert.match(await call('search_documents', { query: 'nothing SPECIAL' }), /api\/notes\.md/)
  // Segments in readable projects are found with their transcript. Segments in other projects are not.
  assert.equal(
    await call('search_documents', { query: 'forecast' }),
    '<document path="api/meetings/talk.md">\n2026-11-15T09:00:00.000Z Ada: Nobody knows the forecast\n</document>',
  )
  assert.match(await call('list_documents', { project: 'api' }), /notes\.md/)
  assert.equal(await call('list_projects', {}), 'api')
})

/** A model that makes all forbidden tool calls, and then repeats everything it received. */
function replyObediently({ body }: ModelServerRequest, number: number) {
  const attempt = ATTEMPTS[number - 1]
  if (attempt !== undefined) {
    return { toolCall: { name: attempt[0], arguments: attempt[1] } }
  }
  if (number === ATTEMPTS.length + 1)
    return { toolCall: { name: 'shell', arguments: { cmd: 'id' } } }
  return { words: [JSON.stringify(body.messages)] }
}

test('a model that obeys hostile documents cannot read or write outside the projects of its prompt', async () => {
  await using server = await openModelServer(replyObediently)
  await using tasks = await startTaskService(
    {
      p: '---\nmaxSteps: 50\noutput:\n  path: out.md\n---\n{% for t in transcripts %}{{ t.title }} {{ t.participants | join: ", " }}\n{{ t.text }}{% endfor %}',
    },
    {
      HANSARD_AI_MODEL: 'openai-compatible/m',
      HANSARD_AI_BASE_URL: server.url,
      HANSARD_AI_API_KEY: KEY,
    },
  )
  const hostile = TEXTS.map((text, i) => {
    const clean = text.replaceAll('\0', ' ')
    const turns: Array<[string, string]> = [['Mallory', clean]]
    return [
      `api/meetings/2026-11-15 ${1000 + i} - x.md`,
      transcriptMarkdown(clean.slice(0, 200), '2026-11-15T09:00:00.000Z', turns),
    ] as const
  })
  await tasks.addDocuments({ 'secret/plan.md': SECRET, ...Object.fromEntries(hostile) })
  await tasks.create({ name: 'a', promptName: 'p' })
  const ended = await tasks.waitForEnd('a', await tasks.run('a'))
  assert.equal(ended.status, 'completed', ended.resultSummary)
  assert.equal(server.requests.length, ATTEMPTS.length + 2)
  const names = server.requests[0]?.body.tools?.map((tool) => tool.function.name)
  assert.deepEqual(names?.toSorted(), [...DOCUMENT_READING_TOOL_NAMES].toSorted())
  const everything = JSON.stringify(server.requests.map(({ body }) => body))
  assert.ok(!everything.includes(SECRET) && !everything.includes(KEY))
  assert.ok(!everything.includes('master.key":'))
  // Template syntax in the data was not rendered, and the result is at the prompt's path.
  assert.ok(everything.includes('{{ run.id }}'))
  assert.equal(ended['documentPath'], 'deployed-md-files/docs/api/out.md')
  const docs = join(tasks.data.path, 'deployed-md-files/docs')
  const projects = readdirSync(docs).filter((name) => !name.startsWith('.'))
  assert.deepEqual(projects.toSorted(), ['api', 'secret'])
  assert.deepEqual(readdirSync(join(docs, 'secret')), ['plan.md'])
  assert.ok(!tasks.data.read('deployed-md-files/docs/api/out.md').includes(SECRET))
})
