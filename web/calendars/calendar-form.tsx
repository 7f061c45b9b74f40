import {
  Checkbox,
  Stack,
  Radio,
  TextInput,
  Textarea,
  Button,
  NativeSelect,
  SimpleGrid,
  Collapse,
} from '@mantine/core'
import { useState } from 'react'
import type { ApiCalendar, ApiCalendarRules } from '../../src/http/shapes/calendars.ts'
import { DEFAULT_SPEECH_MODE, type SpeechMode } from '../../src/http/shapes/values.ts'
import { WhoMayRead } from '../access/who-may-read.tsx'
import { ProjectInput } from '../projects/project-filter-field.tsx'
import { FormButtons, Form, readFormText, useFieldError, useAction } from '../ui/forms.tsx'
import { CalendarPreview } from './calendar-preview.tsx'
import type { KnownPreview, PreviewSource } from './queries.ts'
import type { RuleFields } from './rules.ts'
import { fromRuleFields, NO_RULE_FIELDS, toRuleFields, INVITATION_CHOICES } from './rules.ts'
import { SigningTokenField } from '../meetings/callback-fields.tsx'
import { readSpeechField, SpeechField } from '../meetings/speech-field.tsx'
import { useTasks } from '../tasks/queries.ts'
import { TextField } from '../ui/fields.tsx'

/** The values that the form saves. Fields that it does not show are left out and stay unchanged. */
type CalendarBody = MoreFieldValues & {
  name: string
  address: string | null
  rules: ApiCalendarRules
  project?: string
}

interface CalendarFormProps {
  source: PreviewSource
  /** The stored calendar. Without it, the form is for a new one. */
  calendar?: ApiCalendar
  initialName: string
  initialAddress: string | null
  known?: KnownPreview
  submitLabel: string
  onSave: (body: CalendarBody) => Promise<void>
  onCancel: () => void
}

/** The rules and settings of a calendar, with a preview of the next two weeks. */
export function CalendarForm(props: CalendarFormProps) {
  const { source, calendar, known, submitLabel, onSave, onCancel } = props
  const [fields, setFields] = useState(
    calendar
      ? toRuleFields(calendar.rules)
      : // As with the API: a provider says which meetings are private.
        { ...NO_RULE_FIELDS, neverPrivate: 'calendarAccountId' in source },
  )
  const [address, setAddress] = useState(props.initialAddress ?? '')
  const [project, setProject] = useState(calendar?.project ?? '')
  const chosen = { address: address.trim() || null, rules: fromRuleFields(fields) }
  const action = useAction((values: FormData) =>
    onSave({
      name: readFormText(values, 'name'),
      ...chosen,
      // Sent only if it changes, because a person can lose the right to use a calendar's project.
      ...(project.trim() !== (calendar?.project ?? '') && { project: project.trim() }),
      ...readMoreFields(values),
    }),
  )
  return (
    <Form action={action}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <RuleFieldsInput
          fields={fields}
          address={address}
          onChange={setFields}
          onAddressChange={setAddress}
        />
        <CalendarPreview source={source} rules={chosen} initial={known} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <TextField
          name="name"
          label="Name of the calendar"
          description="Shown on the Upcoming page"
          defaultValue={props.initialName}
          maxLength={100}
        />
        <ProjectField project={project} isNew={calendar === undefined} onChange={setProject} />
      </SimpleGrid>
      <WhoMayRead
        project={project}
        what="these meetings"
        isPrivateByDefault={calendar === undefined}
      />
      <MoreFields calendar={calendar} />
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        {submitLabel}
      </FormButtons>
    </Form>
  )
}

interface ProjectFieldProps {
  project: string
  isNew: boolean
  onChange: (project: string) => void
}

function ProjectField({ project, isNew, onChange }: ProjectFieldProps) {
  return (
    <div>
      <ProjectInput
        name="project"
        description={`Where the transcripts of these meetings are saved.${isNew ? ' Default: a private project of yours' : ''}`}
        value={project}
        error={useFieldError('project')}
        onChange={onChange}
        autoComplete="off"
        maxLength={64}
      />
    </div>
  )
}

interface RuleFieldsInputProps {
  fields: RuleFields
  /** The person's email address in the invitations. */
  address: string
  onChange: (fields: RuleFields) => void
  onAddressChange: (address: string) => void
}

/** Which meetings of a calendar are joined, in plain words. */
function RuleFieldsInput(props: RuleFieldsInputProps) {
  const { fields, address, onChange, onAddressChange } = props
  const set = (change: Partial<RuleFields>) => onChange({ ...fields, ...change })
  return (
    <Stack gap="md">
      <Radio.Group
        label="Which meetings should Hansard join?"
        value={fields.invitations}
        onChange={(value) => set({ invitations: value })}
      >
        <Stack gap={6} mt={6}>
          {Object.entries(INVITATION_CHOICES).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        label="Skip meetings marked as private"
        checked={fields.neverPrivate}
        onChange={(event) => set({ neverPrivate: event.currentTarget.checked })}
      />
      <TextInput
        name="address"
        label="Your email address in this calendar"
        description="So that Hansard knows which meetings you accepted, declined or organise."
        value={address}
        error={useFieldError('address')}
        onChange={(event) => onAddressChange(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        maxLength={320}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TitleField
          name="rules.onlyTitles"
          label="Only if the title contains"
          description="For example “weekly”. One per line."
          value={fields.onlyTitles}
          onChange={(onlyTitles) => set({ onlyTitles })}
        />
        <TitleField
          name="rules.neverTitles"
          label="Never if the title contains"
          description="For example “private”. One per line."
          value={fields.neverTitles}
          onChange={(neverTitles) => set({ neverTitles })}
        />
      </SimpleGrid>
      <TextInput
        name="rules.onlyInvited"
        label="Only if this address is invited"
        description="For example notes@example.com, which you then invite to the meetings that Hansard should join."
        value={fields.onlyInvited}
        error={useFieldError('rules.onlyInvited')}
        onChange={(event) => set({ onlyInvited: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
        maxLength={320}
      />
    </Stack>
  )
}

interface TitleFieldProps {
  name: string
  label: string
  description: string
  value: string
  onChange: (value: string) => void
}

function TitleField({ name, onChange, ...field }: TitleFieldProps) {
  return (
    <Textarea
      {...field}
      name={name}
      autosize
      minRows={1}
      maxRows={6}
      error={useFieldError(name)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type MoreFieldValues = {
  account?: string | null
  speech?: SpeechMode
  task?: string | null
  callbackUrl?: string | null
  tokenId?: string | null
  url?: string
}

/** Settings that most people do not need. They are part of the form only while they are shown. */
function MoreFields({ calendar }: { calendar: ApiCalendar | undefined }) {
  const isUsed =
    calendar !== undefined &&
    ((calendar.account ?? calendar.task ?? calendar.callbackUrl) !== null ||
      calendar.speech !== DEFAULT_SPEECH_MODE)
  const [isExpanded, setExpanded] = useState(isUsed)
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isExpanded}
        onClick={() => setExpanded((expanded) => !expanded)}
      >
        {isExpanded ? 'Fewer options' : 'More options: bot account, speech, task, callbacks'}
      </Button>
      <Collapse expanded={isExpanded} transitionDuration={0}>
        {isExpanded && (
          <Stack gap="md">
            <TextField
              name="account"
              label="Bot account"
              description="Name of the account that joins. Leave empty to join as a guest."
              defaultValue={calendar?.account ?? ''}
              maxLength={100}
              isOptional
            />
            <SpeechField chosen={calendar?.speech} />
            <TaskField chosen={calendar?.task ?? ''} />
            <CallbackFields calendar={calendar} />
            {calendar?.kind === 'ics' && (
              <TextField
                name="url"
                label="New secret address"
                description="Only if the old one was reset. Leave empty to keep it."
                maxLength={2048}
                isOptional
              />
            )}
          </Stack>
        )}
      </Collapse>
    </>
  )
}

function TaskField({ chosen }: { chosen: string }) {
  const names = useTasks().data?.tasks.map(({ name }) => name) ?? []
  const [task, setTask] = useState(chosen)
  const listed = task === '' || names.includes(task) ? names : [task, ...names]
  return (
    <NativeSelect
      name="task"
      label="Task after each meeting"
      description="Runs when a meeting of this calendar has ended."
      value={task}
      error={useFieldError('task')}
      onChange={(event) => setTask(event.currentTarget.value)}
      data={[{ value: '', label: 'None' }, ...listed]}
    />
  )
}

function CallbackFields({ calendar }: { calendar: ApiCalendar | undefined }) {
  const [url, setUrl] = useState(calendar?.callbackUrl ?? '')
  return (
    <>
      <TextInput
        name="callbackUrl"
        label="Callback URL"
        description="Optional. Your program that receives the events of these meetings."
        placeholder="https://example.com/hook"
        value={url}
        error={useFieldError('callbackUrl')}
        onChange={(event) => setUrl(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {url.trim() !== '' && <SigningTokenField chosen={calendar?.tokenId ?? undefined} />}
    </>
  )
}

/** Leaves out fields that are not shown. */
function readMoreFields(values: FormData): MoreFieldValues {
  if (!values.has('account')) return {}
  const callbackUrl = readFormText(values, 'callbackUrl')
  const url = readFormText(values, 'url')
  return {
    account: readFormText(values, 'account') || null,
    task: readFormText(values, 'task') || null,
    callbackUrl: callbackUrl || null,
    tokenId: callbackUrl === '' ? null : readFormText(values, 'tokenId'),
    ...readSpeechField(values),
    ...(url !== '' && { url }),
  }
}
