import { NativeSelect, TextInput } from '@mantine/core'
import { ProjectFilterField } from '../projects/project-filter-field.tsx'
import { formatLocalDay } from '../ui/format/days.tsx'
import { useNowEvery30Seconds } from '../ui/format/time.tsx'
import { addDays, formatWeek, mondayOf } from '../ui/format/weeks.ts'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { FilterRow } from '../ui/layout/filter-row.tsx'
import type { DecisionFilter } from './decision-filter.ts'

/** How many weeks the field offers, this one first. */
const WEEKS = 12

interface DecisionFilterFieldsProps {
  filter: DecisionFilter
  onChangedFields: (change: DecisionFilter) => void
}

/** The filters are stored in the URL, so that a list can be shared as a link. */
export function DecisionFilterFields({ filter, onChangedFields }: DecisionFilterFieldsProps) {
  const [person, setPerson] = useDebouncedUrlField(filter.person ?? '', (text) =>
    onChangedFields({ person: text || undefined }),
  )
  return (
    <FilterRow filter={filter}>
      <ProjectFilterField
        project={filter.project}
        onChange={(project) => onChangedFields({ project })}
      />
      <WeekField week={filter.week} onChange={(week) => onChangedFields({ week })} />
      <TextInput
        label="Person"
        className="filter-wide"
        value={person}
        onChange={(event) => setPerson(event.currentTarget.value)}
      />
    </FilterRow>
  )
}

interface WeekFieldProps {
  week: string | undefined
  onChange: (week: string | undefined) => void
}

function WeekField({ week, onChange }: WeekFieldProps) {
  const today = formatLocalDay(new Date(useNowEvery30Seconds()))
  const recent = Array.from({ length: WEEKS }, (_, i) => addDays(mondayOf(today), -7 * i))
  // A link may name an older week.
  const weeks = week === undefined || recent.includes(week) ? recent : [...recent, week]
  return (
    <NativeSelect
      label="Week"
      value={week ?? ''}
      data={[
        { value: '', label: 'Any' },
        ...weeks.map((value) => ({ value, label: formatWeek(value, today) })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  )
}
