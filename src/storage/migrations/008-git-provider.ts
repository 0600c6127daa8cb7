/**
 * Removes the provider of repositories on hosts other than GitHub and GitLab: spaces stored a value that the contract
 * does not have.
 */
export const gitProvider = `
update spaces set git_sync = replace(git_sync, '"installationProvider":"git",', '')
  where git_sync like '%"installationProvider":"git",%'
`
