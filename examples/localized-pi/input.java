public class LocalizedPi {
    private static String decSeparator(String locale) {
        if (locale.equals("en")) {
            return ".";
        }
        throw new Exception("Unsupported locale");
    }
    private static String formatParts(String intPart, String fracPart, String decSep) {
        return intPart.concat(decSep).concat(fracPart);
    }
    public static void main(String[] args) {
        String pi = formatParts("3", "14", decSeparator(args[0]));
        System.out.println(pi);
    }
}
