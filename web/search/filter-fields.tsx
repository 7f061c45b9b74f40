import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useProjects } from '../projects/queries.ts'
import { useDebouncedField } from '../ui/forms/use-debounced-field.ts'
import { type SearchFilter, toSearchFilter } from './search-filter.ts'

interface SearchFilterFieldsProps {
  filter: SearchFilter
  onChange: (change: SearchFilter) => void
}

const KIND_OPTIONS = [
  { value: '', label: 'Everything' },
  { value: 'segment', label: 'What was said' },
  { value: 'document', label: 'What is written' },
]

/** In the address, so that what was found can be sent to somebody. */
export function SearchFilterFields({ filter, onChange }: SearchFilterFieldsProps) {
  const projects = useProjects()
  const known = projects.data?.pages.flatMap((page) => page.projects) ?? []
  const [project, setProject] = useDebouncedField(filter.project ?? '', (text) =>
    onChange({ project: text || undefined }),
  )
  const [speaker, setSpeaker] = useDebouncedField(filter.speaker ?? '', (text) =>
    onChange({ speaker: text || undefined }),
  )
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Where"
        value={filter.kind ?? ''}
        data={KIND_OPTIONS}
        onChange={(event) =>
          onChange({ kind: toSearchFilter({ kind: event.currentTarget.value }).kind })
        }
      />
      <TextInput
        label="Project"
        list="known-projects"
        flex="1 1 140px"
        value={project}
        onChange={(event) => setProject(event.currentTarget.value)}
      />
      <datalist id="known-projects">
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <TextInput
        label="Said by"
        flex="1 1 140px"
        value={speaker}
        onChange={(event) => setSpeaker(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="From"
        value={filter.from ?? ''}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="Until"
        value={filter.to ?? ''}
        onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
      />
    </Group>
  )
}
