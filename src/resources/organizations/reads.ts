export { findOrganization } from './store.ts'
