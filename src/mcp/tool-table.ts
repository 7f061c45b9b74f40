import type { AssistantTool } from './define-tool.ts'
import {
  getBriefTool,
  listCalendarsTool,
  listUpcomingTool,
  setAttendanceTool,
} from './tools/calendars.ts'
import {
  getMeetingTool,
  importTranscriptTool,
  listMeetingsTool,
  listReceiversTool,
  readTranscriptTool,
  renameMeetingTool,
  rescheduleMeetingTool,
  startMeetingTool,
  stopMeetingTool,
} from './tools/meetings.ts'
import {
  askTool,
  listDocumentsTool,
  listProjectsTool,
  readDocumentTool,
  searchTool,
} from './tools/projects.ts'
import {
  addRecapItemTool,
  getRecapTool,
  listActionsTool,
  listDecisionsTool,
  updateActionTool,
  updateRecapItemTool,
} from './tools/recaps.ts'
import { getExecutionTool, listExecutionsTool, listTasksTool, runTaskTool } from './tools/tasks.ts'

/** All tools in the order in which assistants see them, the most useful first. */
export const TOOLS: readonly AssistantTool[] = [
  searchTool,
  askTool,
  listMeetingsTool,
  getMeetingTool,
  getRecapTool,
  readTranscriptTool,
  listActionsTool,
  listDecisionsTool,
  listProjectsTool,
  listDocumentsTool,
  readDocumentTool,
  listUpcomingTool,
  getBriefTool,
  listCalendarsTool,
  listTasksTool,
  listExecutionsTool,
  getExecutionTool,
  listReceiversTool,
  startMeetingTool,
  renameMeetingTool,
  rescheduleMeetingTool,
  stopMeetingTool,
  setAttendanceTool,
  importTranscriptTool,
  updateActionTool,
  addRecapItemTool,
  updateRecapItemTool,
  runTaskTool,
]
