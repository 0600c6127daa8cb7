/** Common passwords that are long enough to pass the length check, in lower case; also compared without digits and symbols. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `0123456789 01234567890 0987654321 1111111111 1212121212 123123123123 1234512345 1234554321 1234567890 12345678900
  12345678901 123456789012 123456789a 1234567891 123456789q 1234567899 123321123321 12qwaszx12 1357924680 147258369a
  1a2b3c4d5e 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc 9876543210 987654321a a123456789 aa123456789 abc1234567
  abc123456789 abcd123456 abcd1234567 abcdefghij abcdefghijk abcdefghijkl abcd1234abcd access123456 admin admin12345
  admin123456 administrator adminadmin alexander1 asdfasdfasdf asdfghjkl asdfghjkl1 asdfghjklqwerty asdf1234asdf
  azertyuiop baseball123 basketball beautiful1 butterfly butterfly1 changeme changeme123 changemenow charlie123
  chocolate1 christopher computer12 computer123 contrasena default123 documentation dragon123456 elizabeth1 everything
  facebook123 football123 footballer friendship g00dpassword google123456 helloworld helloworld1 iloveyou iloveyou12
  iloveyou123 iloveyousomuch iloveyou1234 internet12 jennifer123 jesuschrist justinbieber letmein letmein1234 letmeinnow
  liverpool123 liverpoolfc lovelovelove manchester manchesterunited master123456 michael123 michelle123 microsoft
  minecraft123 monkey123456 mypassword mypassword1 mynewpassword newpassword newpassword1 nothing123 octavo octavooctavo
  onetwothree password password1 password10 password11 password12 password123 password1234 password12345 password123456
  password2023 password2024 password2025 password2026 password99 passwordpassword p@ssw0rd123 p@ssword123 passw0rd123
  passw0rd1234 pokemon123 princess123 qazwsxedc qazwsxedc1 qazwsxedcrfv qwerty qwerty1234 qwerty12345 qwerty123456
  qwertyqwerty qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiopasdfghjkl qwertzuiop q1w2e3r4t5 q1w2e3r4t5y6 rockyou123
  samsung123 secret secret1234 secretpassword september1 spiderman123 starwars123 strawberry sunshine123 sunshine12
  superman123 superman12 temporary1 temppassword testtesttest test123456 test1234567 thepassword trustno1trustno1
  unknown123 welcome welcome123 welcome1234 welcome12345 welcome2024 welcome2025 welcome2026 whatever12 whatever123
  winter2024 winter2025 winter2026 summer2024 summer2025 summer2026 spring2024 spring2025 spring2026 yourpassword
  zaq12wsxcde zaq1xsw2cde3 zxcvbnm zxcvbnm123 zxcvbnmasdfghjkl zxcvbnmzxcvbnm correcthorsebatterystaple`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
