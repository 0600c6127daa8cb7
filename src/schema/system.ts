export interface InstanceTable {
  key: string
  value: string
}

export interface IdempotencyKeysTable {
  user_id: string
  key: string
  fingerprint: string
  status: number
  location: string | null
  body: string | null
  created_at: string
}

export interface JobsTable {
  id: string
  name: string
  key: string | null
  payload: string
  state: 'queued' | 'running' | 'done' | 'dead'
  attempts: number
  run_at: string
  lease: string | null
  lease_until: string | null
  error: string | null
  created_at: string
  finished_at: string | null
}

export interface SchedulesTable {
  name: string
  next_at: string
}
