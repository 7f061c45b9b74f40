import { type TextInputProps } from '@mantine/core'
import { useDebouncedUrlField } from '../ui/forms.tsx'
import { useProjects } from './queries.ts'
import { SuggestingField } from '../ui/fields.tsx'

interface ProjectFilterFieldProps {
  /** The project in the URL. */
  project: string | undefined
  onChange: (project: string | undefined) => void
}

export function ProjectFilterField({ project, onChange }: ProjectFilterFieldProps) {
  const [text, setText] = useDebouncedUrlField(project ?? '', (typed) =>
    onChange(typed || undefined),
  )
  return <ProjectInput value={text} onChange={setText} />
}

type ProjectInputProps = Omit<TextInputProps, 'onChange'> & { onChange: (text: string) => void }

/** A text field that suggests the known projects. */
export function ProjectInput({ onChange, ...field }: ProjectInputProps) {
  const projects = useProjects().data?.pages.flatMap((page) => page.projects) ?? []
  return (
    <SuggestingField
      label="Project"
      flex="1 1 140px"
      {...field}
      suggestions={projects.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
