/** What Git gets of the environment: where programs are, and who vouches for hosts of https. */
export const gitVariables = ['PATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH']
