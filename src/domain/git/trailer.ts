/** The line at the end of the message of each exported commit that names the revision. */
export const trailer = {
  add: (message: string, revisionId: string): string => `${message.trimEnd()}\n\nOctavo-Revision: ${revisionId}\n`,
  isIn: (message: string): boolean => /^Octavo-Revision: \S+$/m.test(message),
}
