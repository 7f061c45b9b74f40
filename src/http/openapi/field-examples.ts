import type { JsonSchema } from './json-schema.ts'

const MEETING_ID = 'meeting_1763195400000_k3v9x0q2m4za'
const EXECUTION_ID = 'execution_0ToY1a2B5b0c6a1f9d2f1a7e3b4c'
const TIME = '2026-11-15T08:30:00.000Z'
const DAY = '2026-11-15'

/**
 * Example values of the fields of the API, by name. Where fields of one name differ in type, each finds the first
 * value that its schema allows. Enumerations, booleans and times need no row, nor does a field whose shape has an
 * example.
 */
const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  account: ['notes-bot'],
  actionCount: [2],
  actionId: ['action_4fJq0Zb1y9nB4Q2wKxT5'],
  actions: [2],
  actor: ['user:usr_4fJq0Zb1y9nB4Q2wKxT5'],
  actorEmail: ['ada@example.com'],
  actorName: ['Ada'],
  addedBy: ['user:usr_4fJq0Zb1y9nB4Q2wKxT5'],
  address: ['https://meet.google.com/abc-defg-hij'],
  afterSegmentNumber: [12],
  after: [11, `1763195402000.12.${MEETING_ID}`, '120-9f86d081884c'],
  answer: ['ok'],
  attempts: [1],
  botName: ['Hansard'],
  builtin: ['meeting_digest'],
  buttons: ['Ask to join'],
  cachedInputTokens: [512],
  callbackUrl: ['https://example.com/callbacks'],
  captionId: ['caption_7'],
  category: ['action_item'],
  cause: ['restarted'],
  chatMessages: [3],
  citationNumbers: [1],
  code: ['meeting_not_found'],
  content: ['WEBVTT\n\n00:00:01.500 --> 00:00:04.000\n<v Ada>Good morning.\n'],
  costUsd: [0.0125],
  createdBy: ['Ada'],
  cronExpression: ['0 9 * * 1'],
  cursor: ['WyIxNzYzMTk1NDAwMDAwIiwiYSJd'],
  day: [DAY],
  decisionCount: [1],
  delivered: [118],
  deliveries: [120],
  deliveryId: ['dlv_0ToY1a2B5b0c6a1f9d2f1a7e3b4c'],
  description: ['Summarises the meetings of the last week'],
  detail: ['The host ended the meeting'],
  documentPath: ['deployed-md-files/docs/api/meetings/2026-11-15 0830 - Planning.md'],
  documents: [1],
  droppedSentences: [1],
  droppedStatements: [1],
  days: [30],
  dueBefore: [DAY],
  dueDate: [DAY],
  dueText: ['by Wednesday'],
  durationMs: [420],
  email: ['ada@example.com'],
  end: [10],
  endMs: [95_000],
  estimated: [1],
  endedShares: [2],
  engine: ['rules'],
  error: ['connection_refused'],
  events: [24, 'segment_finalized,meeting_status'],
  everyoneLeft: [60],
  evidence: [2],
  evidenceCount: [2],
  executionId: [EXECUTION_ID],
  executions: [3],
  failed: [0],
  fileName: ['weekly.vtt'],
  filename: ['2026-11-15 0830 - Planning.md'],
  firstSegmentNumber: [4],
  folder: ['notes'],
  folders: ['notes'],
  from: [1, DAY],
  headings: ['Ready to join?'],
  hint: ['GET /api/v1/meetings lists the meetings'],
  hostTimeout: [900],
  inUse: [1],
  inputTokens: [2048],
  insightId: ['insight_4fJq0Zb1y9nB4Q2wKxT5'],
  insights: [4],
  keyLast4: ['9xQa'],
  keyPrefix: ['sk_p5rx'],
  language: ['en-US'],
  lastError: ['connection_refused'],
  lastSegmentNumber: [12],
  lastUsedFrom: ['192.0.2.10'],
  limit: [50],
  line: [14],
  link: [`/api/v1/meetings/${MEETING_ID}/transcript?after=11`],
  lobbyTimeout: [600],
  marks: ['join button'],
  maxDuration: [14_400],
  meant: ['budget'],
  meeting: [MEETING_ID],
  meetingId: [MEETING_ID],
  meetings: [2],
  messageNumber: [7],
  message: ['Must have at most 200 characters'],
  minMinutes: [5],
  minWords: [50],
  missed: [1],
  model: ['openai/gpt-5'],
  name: ['weekly-report'],
  nextCursor: ['WyIxNzYzMTk1NDAwMDAwIiwiYSJd'],
  nextExecutionId: [EXECUTION_ID],
  nobodyJoined: [600],
  notice: ['I am {name} and take notes. Write “hansard leave” to stop me.'],
  number: [1, '1'],
  object: ['usr_9hT2kQm4xV7cLb0RzY3W'],
  objectEmail: ['grace@example.com'],
  objectName: ['Grace'],
  offset: [0],
  oldestPendingAgeMs: [1500],
  openQuestionCount: [1],
  output: ['# Weekly report\n\nThe budget is due on Friday.\n'],
  outputTokens: [256],
  participantCount: [4],
  participantId: ['participant_3'],
  participants: [4, 'Ada'],
  owner: ['Ada'],
  password: ['three unrelated words'],
  path: ['notes/plan.md'],
  '*': ['notes/plan.md'],
  pathPattern: ['contracts/*.md'],
  pending: [2],
  previousExecutionId: [EXECUTION_ID],
  previousStatus: ['lobby'],
  project: ['api'],
  projectId: ['api'],
  projects: ['sales'],
  prompt: ['Summarise the meetings of the last week.'],
  promptHash: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  promptName: ['weekly-report'],
  q: ['budget'],
  question: ['When is the budget due?'],
  reason: ['host_ended'],
  recaps: [1],
  remaining: [0],
  removedBy: ['retention'],
  replayId: ['lane_4fJq0Zb1y9nB4Q2wKxT5'],
  requestId: ['req_5b0c6a1f6c8e4f0c9d2f1a7e3b4c5d6e'],
  resultSummary: ['The budget is due on Friday.'],
  score: [0.3],
  screenshot: [`/api/v1/meetings/${MEETING_ID}/evidence/1/screenshot`],
  seconds: [95],
  segmentCount: [12],
  segmentNumber: [12],
  segmentNumbers: [12],
  segments: [12],
  segmentsRead: [12],
  segmentsTotal: [12],
  segmentsWritten: [3],
  sequence: [12],
  severity: ['info'],
  share: [0.4],
  shareId: ['share_4fJq0Zb1y9nB4Q2wKxT5'],
  silence: [1200],
  size: [2048],
  speaker: ['Ada'],
  start: [4],
  startMs: [12_000],
  state: ['lobby'],
  status: [200, 'live'],
  subject: ['join button'],
  summary: ['The budget is due on Friday.'],
  task: ['weekly-report'],
  taskName: ['weekly-report'],
  text: ['The budget is due on Friday.'],
  timeout: [300_000],
  timeoutMs: [300_000],
  timezone: ['Europe/Zurich'],
  timeZone: ['Europe/Berlin'],
  title: ['Planning'],
  titlePattern: ['Weekly*'],
  to: [24, DAY],
  tokens: [2304],
  total: [3],
  totalSegments: [12],
  type: ['segment_finalized'],
  unpriced: [0],
  url: ['https://meet.google.com/abc-defg-hij'],
  userName: ['Ada'],
  useCount: [3],
  userId: ['usr_4fJq0Zb1y9nB4Q2wKxT5'],
  version: [2],
  visits: [1],
  wait: [25],
  warning: ['Only the first MiB is searched'],
  word: ['bugdet'],
  words: [240],
}

/** An example of a field that is a text, a number, a boolean or a list of such; undefined when no value is known. */
export function exampleValueOfField(fieldName: string, schema: JsonSchema): unknown {
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['anyOf'])) {
    const examples = (schema['anyOf'] as JsonSchema[]).map((one) =>
      exampleValueOfField(fieldName, one),
    )
    return examples.find((example) => example !== undefined)
  }
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (schema['format'] === 'date-time') return TIME
  if (schema['type'] === 'boolean') return true
  if (schema['type'] !== 'array')
    return EXAMPLES[fieldName]?.find((value) => isAllowed(value, schema))
  const item = exampleValueOfField(fieldName, schema['items'] as JsonSchema)
  return item === undefined ? undefined : [item]
}

/** Whether a text or a number has the type, the pattern and the range of a schema. */
function isAllowed(value: unknown, schema: JsonSchema): boolean {
  const types = new Set([schema['type']].flat())
  if (typeof value === 'string') {
    const { format, pattern = '', maxLength = Infinity } = schema
    if (!types.has('string') || value.length > Number(maxLength)) return false
    return new RegExp(String(pattern), 'u').test(value) && (format !== 'date' || value === DAY)
  }
  if (typeof value !== 'number') return false
  if (!types.has('number') && !(types.has('integer') && Number.isInteger(value))) return false
  const { minimum = -Infinity, maximum = Infinity } = schema
  return value >= Number(minimum) && value <= Number(maximum)
}
