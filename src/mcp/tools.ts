import type { Tool } from './tool.ts'
import { listDocuments, listProjects, readDocument, search } from './tools/knowledge.ts'
import {
  getMeeting,
  listMeetings,
  readTranscript,
  startMeeting,
  stopMeeting,
} from './tools/meetings.ts'
import { getExecution, listExecutions, listTasks, runTask } from './tools/tasks.ts'

/** Everything that an assistant can do here, what it needs first at the top. */
export const TOOLS: readonly Tool[] = [
  search,
  listMeetings,
  getMeeting,
  readTranscript,
  listProjects,
  listDocuments,
  readDocument,
  listTasks,
  listExecutions,
  getExecution,
  startMeeting,
  stopMeeting,
  runTask,
]
