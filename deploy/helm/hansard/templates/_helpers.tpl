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

{{/*
The roles, each with its name and its values. Without `roles` in the values, there is one that has no name and does everything.
*/}}
{{- define "hansard.roles" -}}
{{- if .Values.settings.HANSARD_ROLES -}}
{{- fail "Set roles in place of settings.HANSARD_ROLES: the chart then has a Deployment for each role" -}}
{{- end -}}
{{- $roles := list -}}
{{- range $name, $own := .Values.roles -}}
{{- $roles = append $roles (dict "name" $name "own" $own) -}}
{{- end -}}
{{- toJson (dict "roles" ($roles | default (list (dict "name" "" "own" (dict "replicas" .Values.replicas))))) -}}
{{- end -}}

{{/* The name and labels of what belongs to one role; `.root` is the top and `.role` the role. */}}
{{- define "hansard.roleName" -}}
{{ include "hansard.fullname" .root }}{{ with .role.name }}-{{ . }}{{ end }}
{{- end -}}

{{- define "hansard.roleSelectorLabels" -}}
{{ include "hansard.selectorLabels" .root }}
{{- with .role.name }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "hansard.roleLabels" -}}
{{ include "hansard.labels" .root }}
{{- with .role.name }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* Whether pods of the role run browsers. */}}
{{- define "hansard.hasBots" -}}
{{- if has .role.name (list "" "bots") }}yes{{ end -}}
{{- end -}}

{{/* The default profiles of most clusters refuse the sandbox, so the operator has to choose. */}}
{{- define "hansard.podSecurityContext" -}}
{{- $browser := .root.Values.browser -}}
{{- if and $browser.sandbox (not $browser.seccompProfile) -}}
{{- fail "Choose how browsers run. With their sandbox: set browser.seccompProfile to a profile that allows user namespaces, such as hansard/seccomp.json. Without it: set browser.sandbox to false; a page that breaks out of the browser then reads the secrets of the pod. See \"The sandbox of the browser\" in deploy/README.md." -}}
{{- end -}}
{{- $profile := ternary $browser.seccompProfile "RuntimeDefault" (eq (include "hansard.hasBots" .) "yes") -}}
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
{{- $settings := deepCopy .root.Values.settings -}}
{{- with .role.name }}{{ $_ := set $settings "HANSARD_ROLES" . }}{{ end -}}
{{- if and (not .root.Values.browser.sandbox) (not (hasKey $settings "HANSARD_BROWSER_ARGS")) -}}
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

{{/*
The secret settings that bots need. The others stay away from browsers: the master key, and the keys of language models.
*/}}
{{- define "hansard.botSecrets" -}}
DATABASE_URL HANSARD_BROWSER_CDP HANSARD_TEAMS_CLIENT_SECRET HANSARD_GALENE_PASSWORD HANSARD_LIVEKIT_API_SECRET HANSARD_SPEECH_API_KEY HANSARD_ZOOM_CLIENT_SECRET
{{- end -}}

{{/* Secrets are files, because other programs of the container can read its environment, and crash reports contain it. */}}
{{- define "hansard.volumes" -}}
- name: data
  emptyDir: { sizeLimit: {{ .root.Values.resources.dataMi }}Mi }
- name: tmp
  emptyDir: { medium: Memory, sizeLimit: {{ .root.Values.resources.tmpMemoryMi }}Mi }
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- $forBots := concat (splitList " " (include "hansard.botSecrets" .)) (.role.own.extraSecrets | default list) }}
      {{- $isForAll := ne .role.name "bots" }}
      {{- range $name, $secret := .root.Values.secrets }}
      {{- if or $isForAll (has $name $forBots) }}
      - secret: { name: {{ $secret.name | quote }}, items: [{ key: {{ $secret.key | quote }}, path: {{ $name }} }] }
      {{- end }}
      {{- end }}
{{- end -}}

{{- define "hansard.resources" -}}
{{- $resources := .root.Values.resources -}}
{{- $bots := ternary (int .root.Values.settings.HANSARD_MAX_BOTS) 0 (eq (include "hansard.hasBots" .) "yes") -}}
{{- $memory := add (int $resources.base.memoryMi) (mul $bots (int $resources.perBot.memoryMi)) -}}
{{- $cpu := add (int $resources.base.cpuMilli) (mul $bots (int $resources.perBot.cpuMilli)) -}}
requests:
  cpu: {{ $cpu }}m
  memory: {{ $memory }}Mi
  ephemeral-storage: 256Mi
limits:
  memory: {{ add $memory (int $resources.tmpMemoryMi) }}Mi
  ephemeral-storage: {{ add (int $resources.dataMi) 256 }}Mi
{{- end -}}
