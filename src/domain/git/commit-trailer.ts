/** Last line of the message of an exported commit, which contains the id of the revision. */
export const commitTrailer = {
  add: (message: string, revisionId: string): string => `${message.trimEnd()}\n\nOctavo-Revision: ${revisionId}\n`,
  isIn: (message: string): boolean => /^Octavo-Revision: \S+$/m.test(message),
}
