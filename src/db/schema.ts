import type {
  InstanceTable,
  UserTable,
  SessionTable,
  InvitationTable,
  SignInFailureTable,
  ApiTokenTable,
  AuditTable,
} from './tables/accounts.ts'
import type { BotAccountTable } from './tables/bot-accounts.ts'
import type { LaneTable, DeliveryAttemptTable, DeadLetterTable } from './tables/deliveries.ts'
import type { IdempotentRequestTable, RequestCountTable } from './tables/http.ts'
import type {
  MeetingTable,
  SegmentTable,
  TranscriptGapTable,
  ParticipantTable,
  EventTable,
  InsightTable,
  BotFailureEvidenceTable,
  MeetingWarningTable,
  MeetingRemovalTable,
  MeetingWordsTable,
  ChatMessageTable,
} from './tables/meetings.ts'
import type { DeadNodeTable, NodeTable } from './tables/nodes.ts'
import type {
  ProjectTable,
  DocumentTable,
  PassageTable,
  DocumentWordsTable,
  SearchVocabularyTable,
} from './tables/projects.ts'
import type { TaskTable, ExecutionTable, ModelUsageTable } from './tables/tasks.ts'

/** All tables, as types for queries. The migrations create them; the column types are in tables/. */
export interface Database {
  instance: InstanceTable
  app_user: UserTable
  session: SessionTable
  invitation: InvitationTable
  sign_in_failure: SignInFailureTable
  api_token: ApiTokenTable
  idempotent_request: IdempotentRequestTable
  request_count: RequestCountTable
  audit: AuditTable
  meeting: MeetingTable
  segment: SegmentTable
  meeting_words: MeetingWordsTable
  transcript_gap: TranscriptGapTable
  chat_message: ChatMessageTable
  participant: ParticipantTable
  event: EventTable
  insight: InsightTable
  node: NodeTable
  dead_node: DeadNodeTable
  lane: LaneTable
  delivery_attempt: DeliveryAttemptTable
  dead_letter: DeadLetterTable
  evidence: BotFailureEvidenceTable
  meeting_warning: MeetingWarningTable
  bot_account: BotAccountTable
  project: ProjectTable
  document: DocumentTable
  passage: PassageTable
  document_words: DocumentWordsTable
  word: SearchVocabularyTable
  removal: MeetingRemovalTable
  task: TaskTable
  execution: ExecutionTable
  model_usage: ModelUsageTable
}
