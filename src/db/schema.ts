import type {
  ProjectAccessTableColumns,
  ProjectMemberTableColumns,
  ProjectNameTableColumns,
  ShareLinkTableColumns,
  InstanceTableColumns,
  UserTableColumns,
  SessionTableColumns,
  InvitationTableColumns,
  SignInFailureTableColumns,
  ApiTokenTableColumns,
  AuditTableColumns,
  PasswordResetTableColumns,
  SignInChallengeTableColumns,
  ExternalIdentityTableColumns,
  PasskeyTableColumns,
  UserMarkTableColumns,
  BotAccountTableColumns,
} from './tables/accounts.ts'
import type {
  LineBookmarkTableColumns,
  LineCommentTableColumns,
  MeetingTableColumns,
  SegmentTableColumns,
  TranscriptGapTableColumns,
  ParticipantTableColumns,
  EventTableColumns,
  InsightTableColumns,
  BotFailureEvidenceTableColumns,
  MeetingWarningTableColumns,
  MeetingRemovalTableColumns,
  MeetingSearchIndexColumns,
  ChatMessageTableColumns,
  MeetingEditTableColumns,
  ActionItemTableColumns,
  RecapRenameTableColumns,
  RecapTableColumns,
} from './tables/meetings.ts'
import type {
  CalendarTableColumns,
  OccurrenceTableColumns,
  ProjectTableColumns,
  DocumentTableColumns,
  PassageTableColumns,
  DocumentSearchIndexColumns,
  DocumentPlaceTableColumns,
  DocumentSaveTableColumns,
  SearchVocabularyTableColumns,
  StoredFileChunkTableColumns,
  StoredFileTableColumns,
  TaskTableColumns,
  ExecutionTableColumns,
  DailyModelUsageTableColumns,
  PromptAuthorTableColumns,
} from './tables/projects.ts'
import type {
  DeadNodeTableColumns,
  NodeTableColumns,
  IdempotentRequestTableColumns,
  RequestCountTableColumns,
  LaneTableColumns,
  DeliveryAttemptTableColumns,
  DeadLetterTableColumns,
} from './tables/service.ts'

/** All tables, as types for queries. The migrations create the tables, and tables/ has the column types. */
export interface Database {
  instance: InstanceTableColumns
  app_user: UserTableColumns
  session: SessionTableColumns
  invitation: InvitationTableColumns
  sign_in_failure: SignInFailureTableColumns
  api_token: ApiTokenTableColumns
  idempotent_request: IdempotentRequestTableColumns
  request_count: RequestCountTableColumns
  audit: AuditTableColumns
  password_reset: PasswordResetTableColumns
  sign_in_challenge: SignInChallengeTableColumns
  external_identity: ExternalIdentityTableColumns
  passkey: PasskeyTableColumns
  user_mark: UserMarkTableColumns
  meeting: MeetingTableColumns
  segment: SegmentTableColumns
  meeting_words: MeetingSearchIndexColumns
  transcript_gap: TranscriptGapTableColumns
  chat_message: ChatMessageTableColumns
  line_comment: LineCommentTableColumns
  line_bookmark: LineBookmarkTableColumns
  meeting_edit: MeetingEditTableColumns
  participant: ParticipantTableColumns
  event: EventTableColumns
  insight: InsightTableColumns
  node: NodeTableColumns
  dead_node: DeadNodeTableColumns
  lane: LaneTableColumns
  delivery_attempt: DeliveryAttemptTableColumns
  dead_letter: DeadLetterTableColumns
  evidence: BotFailureEvidenceTableColumns
  meeting_warning: MeetingWarningTableColumns
  bot_account: BotAccountTableColumns
  project: ProjectTableColumns
  document: DocumentTableColumns
  passage: PassageTableColumns
  document_words: DocumentSearchIndexColumns
  document_save: DocumentSaveTableColumns
  stored_file: StoredFileTableColumns
  stored_file_chunk: StoredFileChunkTableColumns
  document_place: DocumentPlaceTableColumns
  word: SearchVocabularyTableColumns
  removal: MeetingRemovalTableColumns
  task: TaskTableColumns
  execution: ExecutionTableColumns
  model_usage: DailyModelUsageTableColumns
  prompt_author: PromptAuthorTableColumns
  recap: RecapTableColumns
  recap_rename: RecapRenameTableColumns
  action_item: ActionItemTableColumns
  project_name: ProjectNameTableColumns
  project_access: ProjectAccessTableColumns
  project_member: ProjectMemberTableColumns
  share_link: ShareLinkTableColumns
  calendar: CalendarTableColumns
  occurrence: OccurrenceTableColumns
}
