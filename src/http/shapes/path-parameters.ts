import { z } from 'zod'
import { MeetingIdInput } from './meetings/meeting-fields.ts'
import { createIntegerParameterSchema } from './query-parameters.ts'
import { TEXT_TRANSCRIPT_FORMATS } from './values.ts'

const id = z.string().min(1).max(100)

/** Parameters that have the same meaning in every path. Routes declare the others. */
const PATH_PARAMETERS = {
  id,
  meetingId: MeetingIdInput.describe('The id that start returned'),
  segmentNumber: createIntegerParameterSchema().describe(
    'The number of the line in the transcript',
  ),
  format: z.enum(TEXT_TRANSCRIPT_FORMATS).describe('File extension of the format'),
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Must be the number of a listed piece of evidence')
    .describe('`number` of a listed piece of evidence'),
  part: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'Must be the number of a part, from 1')
    .describe('Number of the part, from 1'),
  editNumber: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Must be the number of a listed edit')
    .describe('`editNumber` of a listed edit'),
  commentId: id.describe('The id of a comment'),
  actionId: id.describe('The id of an action item'),
  itemId: id.describe('The id of a statement in the recap, or of an action item'),
  deliveryId: id.describe('`deliveryId` of an attempt'),
  executionId: z.string().min(1).max(200).describe('The id that run returned'),
  projectId: z.string().min(1).max(300).describe('Id of the project'),
  notificationId: id.describe('Id of the notification'),
  userId: id.describe('Id of the user'),
  shareId: id.describe('Id of the link'),
  calendarId: id.describe('Id of the calendar'),
  calendarAccountId: id.describe('Id of the connected account'),
  upcomingId: id.describe('The id in the list of upcoming meetings'),
  recordingId: id.describe('Id of the recording'),
  connectionId: id.describe('Id of the connection'),
  mailId: id.describe('Id of the mail'),
} as const

type NameIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The parameters of a path that PATH_PARAMETERS describes. */
export type PathParameters<Path extends string> = {
  [Name in NameIn<Path> & keyof typeof PATH_PARAMETERS]: z.output<(typeof PATH_PARAMETERS)[Name]>
}

/** The schema of a path's parameters. `own` describes those that have another meaning in this path. */
export function describePathParameters(
  path: string,
  own: z.ZodType | undefined,
): z.ZodType | undefined {
  const names = [...path.matchAll(/:(\w+)|\*/g)].map(([text, name]) => name ?? text)
  const shape: Readonly<Record<string, z.ZodType>> = {
    ...PATH_PARAMETERS,
    ...(own instanceof z.ZodObject && own.shape),
  }
  const undescribed = names.filter((name) => !(name in shape))
  if (undescribed.length > 0) throw new Error(`${path} does not describe ${undescribed.join(', ')}`)
  const isComplete = own instanceof z.ZodObject && names.every((name) => name in own.shape)
  if (names.length === 0 || isComplete) return own
  return z.object(Object.fromEntries(names.map((name) => [name, shape[name] as z.ZodType])))
}
