import { z } from 'zod'
import { DEFAULT_PROJECT } from '../../../access/registered-projects.ts'
import { countParts, progressPercent, type Recording } from '../../../recordings/recording.ts'
import {
  Count,
  Instant,
  InstantText,
  MeetingId,
  NullableText,
  ProjectId,
  RequestWarnings,
} from '../common.ts'
import { TimeZoneInput } from '../time-zone.ts'
import { PART_BYTES, RECORDING_STATES } from '../values.ts'
import { MeetingTitleInput, RecapLanguageInput } from './meeting-fields.ts'

export const CreateRecordingBody = z
  .object({
    fileName: z
      .string()
      .min(1)
      .max(300)
      .describe('Gives a title, and for some products the start of the meeting'),
    bytes: z.int().min(1).describe('Size of the file'),
    title: MeetingTitleInput.optional().describe('Label for the meeting; default the file name'),
    project: ProjectId.meta({ default: DEFAULT_PROJECT })
      .optional()
      .describe('Project to save the meeting into'),
    startedAt: InstantText.optional().describe(
      'When the meeting started; default the start in the file name. Without one the meeting ends at the time of the upload',
    ),
    timeZone: TimeZoneInput.optional().describe(
      'Time zone of a start in the file name that names none; by default the time zone of the service',
    ),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Must be a language tag such as en-US')
      .optional()
      .describe('Language of the speech; default English'),
    recapLanguage: RecapLanguageInput,
  })
  .meta({ examples: [{ fileName: 'weekly.m4a', bytes: 14_680_064, project: 'api' }] })

const RecordingId = z.string().meta({ pattern: '^recording_[0-9A-Za-z]+$' })

export const RecordingResponse = z.object({
  recordingId: RecordingId,
  state: z
    .enum(RECORDING_STATES)
    .describe(
      '`uploading`: parts are missing; `waiting`: it waits for a node; `processing`: it is recognized; `imported`: it is a meeting; `failed`: see `detail`',
    ),
  project: z.string(),
  fileName: z.string(),
  title: NullableText,
  bytes: Count,
  partBytes: Count.describe('Size of each part but the last one'),
  parts: Count.describe('How many parts the file has'),
  partsReceived: Count.describe('0 once the sound is deleted'),
  durationSeconds: z.number().min(0).nullable().describe('Null until the file is complete'),
  positionSeconds: z.number().min(0).describe('Up to where it is recognized'),
  percent: Count.nullable().describe('How much is recognized; null while that is not known'),
  detail: NullableText.describe('Why it failed, or what is missing in the transcript'),
  meetingId: MeetingId.nullable().describe('The meeting that it became'),
  createdAt: Instant,
})

export const CreateRecordingResponse = RecordingResponse.extend({ warnings: RequestWarnings })

export const RecordingsResponse = z.object({ recordings: z.array(RecordingResponse) })

export type ApiRecording = z.input<typeof RecordingResponse>

export function toApiRecording(recording: Recording): z.output<typeof RecordingResponse> {
  const { id, state, project, fileName, title, byteCount, partCount, info } = recording
  return {
    recordingId: id,
    state,
    project,
    fileName,
    title,
    bytes: byteCount,
    partBytes: PART_BYTES,
    parts: countParts(byteCount),
    partsReceived: partCount,
    durationSeconds: info === null || info.durationMs === null ? null : info.durationMs / 1_000,
    positionSeconds: recording.positionMs / 1_000,
    percent: progressPercent(recording),
    detail: recording.detail,
    meetingId: recording.meetingId,
    createdAt: recording.createdAt,
  }
}
