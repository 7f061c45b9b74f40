{{- define "hansard.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "hansard.selectorLabels" -}}
app.kubernetes.io/name: hansard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "hansard.labels" -}}
{{ include "hansard.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "hansard.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "hansard.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "hansard.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{/* What the restricted Pod Security Standard asks of a container. */}}
{{- define "hansard.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* The default profiles of most clusters refuse the sandbox, so the operator has to choose. */}}
{{- define "hansard.podSecurityContext" -}}
{{- $profile := .Values.browser.seccompProfile -}}
{{- if and .Values.browser.sandbox (not $profile) -}}
{{- fail "Choose how browsers run. With their sandbox: set browser.seccompProfile to a profile that allows user namespaces, such as hansard/seccomp.json. Without it: set browser.sandbox to false; a page that breaks out of the browser then reads the secrets of the pod. See \"The sandbox of the browser\" in deploy/README.md." -}}
{{- end -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  {{- if has $profile (list "" "RuntimeDefault") }}
  type: RuntimeDefault
  {{- else }}
  type: Localhost
  localhostProfile: {{ $profile | quote }}
  {{- end }}
{{- end -}}

{{- define "hansard.settings" -}}
{{- $settings := deepCopy .Values.settings -}}
{{- if and (not .Values.browser.sandbox) (not (hasKey $settings "HANSARD_BROWSER_ARGS")) -}}
{{- $_ := set $settings "HANSARD_BROWSER_ARGS" "[\"--no-sandbox\"]" -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{- define "hansard.env" -}}
{{- range $name, $value := include "hansard.settings" . | fromYaml }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}

{{- define "hansard.volumeMounts" -}}
- { name: data, mountPath: /var/lib/hansard }
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets, readOnly: true }
{{- end -}}

{{/* Secrets are files, because other programs of the container can read its environment, and crash reports contain it. */}}
{{- define "hansard.volumes" -}}
- name: data
  emptyDir: { sizeLimit: {{ .Values.resources.dataMi }}Mi }
- name: tmp
  emptyDir: { medium: Memory, sizeLimit: {{ .Values.resources.tmpMemoryMi }}Mi }
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $name, $secret := .Values.secrets }}
      - secret: { name: {{ $secret.name | quote }}, items: [{ key: {{ $secret.key | quote }}, path: {{ $name }} }] }
      {{- end }}
{{- end -}}

{{- define "hansard.resources" -}}
{{- $bots := int .Values.settings.HANSARD_MAX_BOTS -}}
{{- $memory := add (int .Values.resources.base.memoryMi) (mul $bots (int .Values.resources.perBot.memoryMi)) -}}
{{- $cpu := add (int .Values.resources.base.cpuMilli) (mul $bots (int .Values.resources.perBot.cpuMilli)) -}}
requests:
  cpu: {{ $cpu }}m
  memory: {{ $memory }}Mi
  ephemeral-storage: 256Mi
limits:
  memory: {{ add $memory (int .Values.resources.tmpMemoryMi) }}Mi
  ephemeral-storage: {{ add (int .Values.resources.dataMi) 256 }}Mi
{{- end -}}
