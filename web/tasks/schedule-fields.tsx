import { Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useId, useMemo, useState } from 'react'
import type { WireTask } from '../../src/http/shapes/tasks.ts'
import { readText, useFieldProblem } from '../ui/form.tsx'
import { SchedulePreview } from './schedule-preview.tsx'
import { problemsOf, READERS_ZONE, RHYTHMS } from './schedule.ts'

const TYPING_MS = 300

/** On demand, or by five fields and a zone that are explained while they are typed. */
export function ScheduleFields({ task }: { task: WireTask | undefined }) {
  const [mode, setMode] = useState(task && !task.isScheduled ? 'demand' : 'schedule')
  return (
    <Stack gap="md">
      <Radio.Group label="It runs" name="mode" value={mode} onChange={setMode}>
        <Stack gap={6} mt={4}>
          <Radio value="schedule" label="By a schedule, and whenever somebody asks" />
          <Radio value="demand" label="Only when somebody asks" />
        </Stack>
      </Radio.Group>
      {mode === 'schedule' && <Times task={task} />}
    </Stack>
  )
}

function Times({ task }: { task: WireTask | undefined }) {
  const [expression, setExpression] = useState(task?.cronExpression ?? '0 9 * * 1-5')
  const [zone, setZone] = useState(task?.timezone ?? READERS_ZONE)
  const [settled] = useDebouncedValue({ expression, zone: zone.trim() }, TYPING_MS)
  const problems = useProblems(settled.expression, settled.zone)
  const isRhythm = RHYTHMS.some(({ value }) => value === expression)
  return (
    <Stack gap="md">
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <NativeSelect
          label="Rhythm"
          description="Fills in the five fields"
          miw={220}
          value={isRhythm ? expression : ''}
          onChange={(event) => setExpression(event.currentTarget.value || expression)}
          data={[{ value: '', label: 'As written in the five fields' }, ...RHYTHMS]}
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
      <ZoneField zone={zone} problem={problems.timezone} onChange={setZone} />
      <div aria-live="polite">
        <SchedulePreview expression={settled.expression} zone={settled.zone} />
      </div>
      <Checkbox
        name="enabled"
        label="The schedule is active"
        defaultChecked={task?.enabled ?? true}
      />
    </Stack>
  )
}

interface ZoneFieldProps {
  zone: string
  problem: string | undefined
  onChange: (zone: string) => void
}

function ZoneField({ zone, problem, onChange }: ZoneFieldProps) {
  const listId = useId()
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone')], [])
  return (
    <>
      <TextInput
        name="timezone"
        label="Time zone"
        description="Whose clocks count, for example Europe/Berlin"
        list={listId}
        value={zone}
        error={problem}
        onChange={(event) => onChange(event.currentTarget.value)}
        required
        withAsterisk={false}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={listId}>
        {zones.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

/** What the scheduler would refuse, said before it is asked; else what it has refused, until that is changed. */
function useProblems(expression: string, zone: string) {
  const refused = {
    cronExpression: useRefusal('cronExpression', expression),
    timezone: useRefusal('timezone', zone),
  }
  const seen = useMemo(() => problemsOf(expression, zone), [expression, zone])
  const at = (path: keyof typeof refused, text: string) => {
    const found = seen.find((problem) => problem.path === path)
    return text.trim() === '' ? refused[path] : (found?.message ?? refused[path])
  }
  return {
    cronExpression: at('cronExpression', expression),
    timezone: at('timezone', zone),
  }
}

function useRefusal(path: string, value: string): string | undefined {
  const text = useFieldProblem(path)
  const [known, setKnown] = useState({ text, value })
  if (known.text !== text) setKnown({ text, value })
  return known.value === value ? text : undefined
}

export function readSchedule(values: FormData) {
  if (readText(values, 'mode') !== 'schedule') return { cronExpression: null }
  return {
    cronExpression: readText(values, 'cronExpression').trim(),
    timezone: readText(values, 'timezone').trim(),
    enabled: values.has('enabled'),
  }
}
