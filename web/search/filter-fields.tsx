import { Group, NativeSelect, TextInput } from '@mantine/core'
import { RESULT_KINDS, type ResultKind } from '../../src/http/shapes/values.ts'
import { useProjects } from '../projects/queries.ts'
import { useDebouncedUrlField } from '../ui/forms/use-debounced-field.ts'
import { type SearchFilter, parseSearchFilter } from './search-filter.ts'

interface SearchFilterFieldsProps {
  filter: SearchFilter
  onChangedFields: (change: SearchFilter) => void
}

const KIND_LABELS: Record<ResultKind, string> = {
  segment: 'Transcripts',
  document: 'Documents',
}

const KIND_OPTIONS = [
  { value: '', label: 'Everything' },
  ...RESULT_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
]

/** The filters are stored in the URL, so that search results can be shared as a link. */
export function SearchFilterFields({ filter, onChangedFields }: SearchFilterFieldsProps) {
  const projects = useProjects()
  const allProjects = projects.data?.pages.flatMap((page) => page.projects) ?? []
  const [project, setProject] = useDebouncedUrlField(filter.project ?? '', (text) =>
    onChangedFields({ project: text || undefined }),
  )
  const [speaker, setSpeaker] = useDebouncedUrlField(filter.speaker ?? '', (text) =>
    onChangedFields({ speaker: text || undefined }),
  )
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label="Search in"
        value={filter.kind ?? ''}
        data={KIND_OPTIONS}
        onChange={(event) =>
          onChangedFields({ kind: parseSearchFilter({ kind: event.currentTarget.value }).kind })
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
        {allProjects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <TextInput
        label="Speaker"
        flex="1 1 140px"
        value={speaker}
        onChange={(event) => setSpeaker(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="From"
        value={filter.from ?? ''}
        onChange={(event) => onChangedFields({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="To"
        value={filter.to ?? ''}
        onChange={(event) => onChangedFields({ to: event.currentTarget.value || undefined })}
      />
    </Group>
  )
}
