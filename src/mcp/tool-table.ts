import type { AssistantTool } from './define-tool.ts'
import {
  listDocumentsTool,
  listProjectsTool,
  readDocumentTool,
  searchTool,
} from './tools/search-and-documents.ts'
import {
  getMeetingTool,
  listMeetingsTool,
  readTranscriptTool,
  startMeetingTool,
  stopMeetingTool,
} from './tools/meetings.ts'
import { getExecutionTool, listExecutionsTool, listTasksTool, runTaskTool } from './tools/tasks.ts'

/** All tools, in the order in which assistants see them: the most useful first. */
export const TOOLS: readonly AssistantTool[] = [
  searchTool,
  listMeetingsTool,
  getMeetingTool,
  readTranscriptTool,
  listProjectsTool,
  listDocumentsTool,
  readDocumentTool,
  listTasksTool,
  listExecutionsTool,
  getExecutionTool,
  startMeetingTool,
  stopMeetingTool,
  runTaskTool,
]
