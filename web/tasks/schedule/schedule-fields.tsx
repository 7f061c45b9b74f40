import { Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { ApiTask } from '../../../src/http/shapes/tasks.ts'
import { readFormText, useFieldError } from '../../ui/forms/form.tsx'
import { TimeZoneField } from '../../ui/forms/time-zone-field.tsx'
import type { TriggerEvent } from '../../../src/http/shapes/values.ts'
import { ValidSchedulePreview } from './schedule-preview.tsx'
import { NO_EVENT, readTriggerFields, TriggerFields } from './trigger-fields.tsx'
import { listScheduleProblems, CRON_PRESETS } from './describe-schedule.ts'
import { BROWSER_TIME_ZONE } from '../../ui/format/format-text.ts'

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
