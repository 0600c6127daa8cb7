/** Repositories on other hosts than GitHub and GitLab have no provider; spaces stored one that the contract does not have. */
export const gitProvider = `
update spaces set git_sync = replace(git_sync, '"installationProvider":"git",', '')
  where git_sync like '%"installationProvider":"git",%'
`
