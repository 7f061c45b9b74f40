import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { operationName } from './operation-names.ts'

const NAMES = [
  ['GET', '/meetings', 'meetings.list'],
  ['POST', '/meetings/start', 'meetings.start'],
  ['GET', '/meetings/{meetingId}', 'meetings.get'],
  ['DELETE', '/meetings/{meetingId}', 'meetings.remove'],
  ['GET', '/meetings/{meetingId}/transcript', 'meetings.transcript'],
  ['GET', '/meetings/{meetingId}/transcript/{format}', 'meetings.transcriptText'],
  ['GET', '/meetings/{meetingId}/events/stream', 'meetings.events'],
  ['GET', '/meetings/{meetingId}/evidence/{number}/screenshot', 'meetings.evidenceScreenshot'],
  ['POST', '/tasks', 'tasks.create'],
  ['PUT', '/tasks/{name}', 'tasks.update'],
  ['POST', '/tasks/{name}/run', 'tasks.run'],
  ['GET', '/projects/{projectId}/documents', 'projects.documents'],
  ['GET', '/projects/{projectId}/documents/{path}', 'projects.document'],
  ['PUT', '/projects/{projectId}/documents/{path}', 'projects.saveDocument'],
  ['DELETE', '/projects/{projectId}/documents/{path}', 'projects.removeDocument'],
  ['GET', '/bot-accounts', 'botAccounts.list'],
  ['GET', '/usage/csv', 'usage.csv'],
] as const

test('the name of an operation follows from its method and path', () => {
  for (const [method, path, name] of NAMES) assert.equal(operationName(method, path), name, path)
})
