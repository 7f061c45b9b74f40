import { useDebouncedValue } from '@mantine/hooks'
import { Stack, Radio, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState, useMemo } from 'react'
import type { ApiTask, ApiTaskTrigger } from '../../../src/http/shapes/tasks.ts'
import { readFormText, useFieldError } from '../../ui/forms.tsx'
import type { TriggerEvent, MeetingPlatform } from '../../../src/http/shapes/values.ts'
import {
  BRIEF_MINUTES,
  MEETING_PLATFORMS,
  PLATFORM_NAMES,
  TRIGGER_EVENTS,
  TRIGGERING_MEETING_STATUSES,
} from '../../../src/http/shapes/values.ts'
import { ValidSchedulePreview } from './schedule-preview.tsx'
import { listScheduleProblems, CRON_PRESETS } from './describe-schedule.ts'
import { BROWSER_TIME_ZONE } from '../../ui/format/format-text.ts'
import { PLATFORM_LABELS } from '../../meetings/meeting-labels.ts'
import { TRIGGER_EVENT_LABELS } from './describe-trigger.ts'
import { TimeZoneField } from '../../ui/fields.tsx'

const DEBOUNCE_MS = 300

/**
 * Form fields for when a task runs: only on demand, or by a cron expression and time zone with a live preview. In both
 * cases, an event can also start it.
 */
export function ScheduleFields({ task }: { task: ApiTask | undefined }) {
  const [mode, setMode] = useState(task && !task.isScheduled ? 'on_demand' : 'schedule')
  const [event, setEvent] = useState<TriggerEvent | typeof NO_EVENT>(task?.trigger?.on ?? NO_EVENT)
  const switches = [
    ...(mode === 'schedule' ? ['schedule'] : []),
    ...(event === NO_EVENT ? [] : ['trigger']),
  ]
  return (
    <Stack gap="md">
      <Radio.Group label="When to run" name="mode" value={mode} onChange={setMode}>
        <Stack gap={6} mt={4}>
          <Radio value="schedule" label="Scheduled and on demand" />
          <Radio value="on_demand" label="On demand only" />
        </Stack>
      </Radio.Group>
      {mode === 'schedule' && <CronFields task={task} />}
      <TriggerFields trigger={task?.trigger} event={event} onEvent={setEvent} />
      {switches.length > 0 && (
        <Checkbox
          name="enabled"
          label={`${capitalize(switches.join(' and '))} enabled`}
          defaultChecked={task?.enabled ?? true}
        />
      )}
    </Stack>
  )
}

function CronFields({ task }: { task: ApiTask | undefined }) {
  const [expression, setExpression] = useState(task?.cronExpression ?? '0 9 * * 1-5')
  const [zone, setZone] = useState(task?.timezone ?? BROWSER_TIME_ZONE)
  const [settled] = useDebouncedValue({ expression, zone: zone.trim() }, DEBOUNCE_MS)
  const problems = useScheduleErrors(settled.expression, settled.zone)
  const isPreset = CRON_PRESETS.some(({ value }) => value === expression)
  return (
    <Stack gap="md">
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NativeSelect
          label="Frequency"
          description="Fills in the cron expression"
          miw={220}
          value={isPreset ? expression : ''}
          onChange={(event) => setExpression(event.currentTarget.value || expression)}
          data={[{ value: '', label: 'Custom' }, ...CRON_PRESETS]}
        />
        <TextInput
          name="cronExpression"
          label="Cron expression"
          description="minute hour day month weekday"
          miw={200}
          value={expression}
          error={problems.cronExpression}
          onChange={(event) => setExpression(event.currentTarget.value)}
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'secret-value' }}
        />
      </Group>
      <TimeZoneField
        name="timezone"
        description="Time zone of the schedule, for example Europe/Berlin"
        value={zone}
        error={problems.timezone}
        onChange={setZone}
      />
      <div aria-live="polite">
        <ValidSchedulePreview expression={settled.expression} zone={settled.zone} />
      </div>
    </Stack>
  )
}

/** Validates the fields while typing. Also shows an error from the server until that field is changed. */
function useScheduleErrors(expression: string, zone: string) {
  const serverErrors = {
    cronExpression: useServerError('cronExpression', expression),
    timezone: useServerError('timezone', zone),
  }
  const problems = useMemo(() => listScheduleProblems(expression, zone), [expression, zone])
  const errorOf = (path: keyof typeof serverErrors, text: string) => {
    const found = problems.find((problem) => problem.path === path)
    return text.trim() === '' ? serverErrors[path] : (found?.message ?? serverErrors[path])
  }
  return {
    cronExpression: errorOf('cronExpression', expression),
    timezone: errorOf('timezone', zone),
  }
}

function useServerError(path: string, value: string): string | undefined {
  const text = useFieldError(path)
  const [seen, setSeen] = useState({ text, value })
  if (seen.text !== text) setSeen({ text, value })
  return seen.value === value ? text : undefined
}

export function readScheduleFields(values: FormData) {
  const trigger = readTriggerFields(values)
  const isScheduled = readFormText(values, 'mode') === 'schedule'
  return {
    trigger,
    ...(isScheduled
      ? {
          cronExpression: readFormText(values, 'cronExpression'),
          timezone: readFormText(values, 'timezone'),
        }
      : { cronExpression: null }),
    // A task that runs only on demand can't be enabled or disabled.
    ...((isScheduled || trigger !== null) && { enabled: values.has('enabled') }),
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

type MeetingTrigger = Extract<ApiTaskTrigger, { on: 'meeting_ended' }>
type UpcomingTrigger = Extract<ApiTaskTrigger, { on: 'before_meeting' }>
type DocumentTrigger = Extract<ApiTaskTrigger, { on: 'document_saved' }>

/** No event starts the task. */
const NO_EVENT = ''

interface TriggerFieldsProps {
  trigger: ApiTaskTrigger | undefined
  event: TriggerEvent | typeof NO_EVENT
  onEvent: (event: TriggerEvent | typeof NO_EVENT) => void
}

/** Form fields for the event that starts a task, and its conditions. */
function TriggerFields({ trigger, event, onEvent }: TriggerFieldsProps) {
  return (
    <Stack gap="md">
      <NativeSelect
        name="trigger.on"
        label="Also run automatically"
        value={event}
        onChange={({ currentTarget: { value } }) =>
          onEvent(TRIGGER_EVENTS.find((name) => name === value) ?? NO_EVENT)
        }
        data={[
          { value: NO_EVENT, label: 'Never' },
          ...TRIGGER_EVENTS.map((value) => ({ value, label: TRIGGER_EVENT_LABELS[value] })),
        ]}
        maw={320}
      />
      {event === 'meeting_ended' && (
        <MeetingConditions trigger={trigger?.on === event ? trigger : undefined} />
      )}
      {event === 'before_meeting' && (
        <UpcomingConditions trigger={trigger?.on === event ? trigger : undefined} />
      )}
      {event === 'document_saved' && (
        <DocumentConditions trigger={trigger?.on === event ? trigger : undefined} />
      )}
    </Stack>
  )
}

function MeetingConditions({ trigger }: { trigger: MeetingTrigger | undefined }) {
  return (
    <Stack gap="md" className="trigger-conditions">
      <TitleField titlePattern={trigger?.titlePattern} />
      <ProjectsField projects={trigger?.projects} />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <ConditionField
          name="minWords"
          label="At least this many words"
          description="Optional"
          type="number"
          value={trigger?.minWords}
        />
        <ConditionField
          name="minMinutes"
          label="At least this many minutes"
          description="Optional"
          type="number"
          value={trigger?.minMinutes}
        />
      </Group>
      <NativeSelect
        name="trigger.statuses"
        label="Which meetings"
        defaultValue={(trigger?.statuses ?? ['ended']).toSorted().join(',')}
        data={[
          { value: 'ended', label: 'That ended normally' },
          { value: 'error', label: 'That failed' },
          { value: 'ended,error', label: 'All' },
        ]}
        maw={320}
      />
      <PlatformsField names={MEETING_PLATFORMS} platforms={trigger?.platforms} />
    </Stack>
  )
}

function UpcomingConditions({ trigger }: { trigger: UpcomingTrigger | undefined }) {
  return (
    <Stack gap="md" className="trigger-conditions">
      <ConditionField
        name="minutes"
        label="Minutes before the start"
        description={`Optional. ${BRIEF_MINUTES.default} if empty`}
        type="number"
        value={trigger?.minutes}
      />
      <TitleField titlePattern={trigger?.titlePattern} />
      <ProjectsField projects={trigger?.projects} />
      <PlatformsField names={PLATFORM_NAMES} platforms={trigger?.platforms} />
    </Stack>
  )
}

function TitleField({ titlePattern }: { titlePattern: string | undefined }) {
  return (
    <ConditionField
      name="titlePattern"
      label="Title contains"
      description="Optional. With * for any text, the pattern is the whole title: Weekly*"
      value={titlePattern}
    />
  )
}

interface PlatformsFieldProps {
  names: readonly MeetingPlatform[]
  platforms: readonly MeetingPlatform[] | undefined
}

function PlatformsField({ names, platforms }: PlatformsFieldProps) {
  return (
    <Checkbox.Group
      label="Only on these platforms"
      description="Optional"
      defaultValue={[...(platforms ?? [])]}
    >
      <Group gap="md" mt={4}>
        {names.map((platform) => (
          <Checkbox
            key={platform}
            name="trigger.platforms"
            value={platform}
            label={PLATFORM_LABELS[platform]}
          />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function DocumentConditions({ trigger }: { trigger: DocumentTrigger | undefined }) {
  return (
    <Stack gap="md" className="trigger-conditions">
      <ConditionField
        name="pathPattern"
        label="Path contains"
        description="Optional. With * for any text, the pattern is the whole path: contracts/*.md"
        value={trigger?.pathPattern}
      />
      <ProjectsField projects={trigger?.projects} />
    </Stack>
  )
}

function ProjectsField({ projects }: { projects: string[] | undefined }) {
  return (
    <ConditionField
      name="projects"
      label="Only in these projects"
      description="Optional. Separate several with commas"
      value={projects?.join(', ')}
    />
  )
}

interface ConditionFieldProps {
  name: string
  label: string
  description?: string
  type?: 'text' | 'number'
  value: string | number | undefined
}

function ConditionField({ name, label, description, type = 'text', value }: ConditionFieldProps) {
  return (
    <TextInput
      name={`trigger.${name}`}
      label={label}
      description={description}
      type={type}
      min={0}
      defaultValue={value ?? ''}
      error={useFieldError(`trigger.${name}`)}
      autoComplete="off"
    />
  )
}

/** The trigger that the form describes. Null for none. */
function readTriggerFields(values: FormData): ApiTaskTrigger | null {
  const read = (name: string) => readFormText(values, `trigger.${name}`)
  const readNumber = (name: string) => (read(name) === '' ? undefined : Number(read(name)))
  const projects = read('projects')
    .split(',')
    .map((project) => project.trim())
    .filter(Boolean)
  const inProjects = projects.length === 0 ? {} : { projects }
  if (read('on') === 'document_saved') {
    return { on: 'document_saved', ...inProjects, pathPattern: read('pathPattern') || undefined }
  }
  const isChosen = (name: MeetingPlatform) => values.getAll('trigger.platforms').includes(name)
  if (read('on') === 'before_meeting') {
    const platforms = PLATFORM_NAMES.filter(isChosen)
    return {
      on: 'before_meeting',
      minutes: readNumber('minutes'),
      ...inProjects,
      ...(platforms.length > 0 && { platforms }),
      titlePattern: read('titlePattern') || undefined,
    }
  }
  if (read('on') !== 'meeting_ended') return null
  const platforms = MEETING_PLATFORMS.filter(isChosen)
  const statuses = TRIGGERING_MEETING_STATUSES.filter((name) =>
    read('statuses').split(',').includes(name),
  )
  return {
    on: 'meeting_ended',
    ...inProjects,
    ...(platforms.length > 0 && { platforms }),
    titlePattern: read('titlePattern') || undefined,
    minWords: readNumber('minWords'),
    minMinutes: readNumber('minMinutes'),
    statuses,
  }
}
